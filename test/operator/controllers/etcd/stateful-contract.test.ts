import { describe, it } from 'vitest';
import { planOf } from '../../../../operator/controllers/etcd/plan.js';
import type { Situation } from '../../../../operator/controllers/etcd/situation.js';
import { type NamedState, statefulContract } from '../../../../operator/testing/index.js';
import { answerOf, memberOf, node, situation } from './given-etcd.js';

/** Members in every state. etcd answers if one of them is known, and has a quorum if most are. */
function situationOf(all: readonly NamedState[], leading: number): Situation {
  const members = all.map(({ of, isKnown }, index) =>
    memberOf(index + 1, { peerUrls: [`https://${of}.member-peers.shop.svc:2380`], isHealthy: isKnown }),
  );
  const known = members.filter(({ isHealthy }) => isHealthy).length;
  const answer = { ...answerOf(...members), hasQuorum: known > members.length / 2, leader: members[leading]?.id ?? '' };
  const isAnswered = known > 0;
  const nodes = all.map(({ of, member, isOutdated }, index) => ({
    ...node(index + 1, { readySince: undefined, node: undefined, zone: undefined, ...member }),
    ...{ name: of, revision: isOutdated ? 'r0' : 'r1', etcd: isAnswered ? members[index] : undefined },
  }));
  const cluster = isAnswered ? answer : undefined;
  return { ...situation([], { name: 'member', wanted: all.length, replaceAfter: 0, cluster }), members: nodes };
}

describe.each([
  { leading: 0, which: 'first' },
  { leading: 2, which: 'last' },
])('the plan of an EtcdCluster whose $which member leads', ({ leading }) => {
  const checks = statefulContract({
    situation: (all) => situationOf(all, leading),
    plan: (seen) => {
      const { pods, claims, steps } = planOf(seen);
      return { pods, claims: claims.map(({ name }) => name), steps };
    },
  });
  for (const { name, holds } of checks) it(name, holds);
});
