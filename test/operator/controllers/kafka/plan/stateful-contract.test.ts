import { describe, it } from 'vitest';
import { planOf } from '../../../../../operator/controllers/kafka/cluster/plan/index.js';
import { type NamedState, statefulContract } from '../../../../../operator/testing/index.js';
import { answer, node, now, situation } from '../given-kafka.js';

const ids = (members: readonly NamedState[], is: (one: NamedState) => boolean) =>
  members.flatMap((one, id) => (is(one) ? [id] : []));

/** Brokers in every state, beside controllers that serve. No answer comes while no broker is known. */
describe('the plan of a KafkaCluster', () => {
  const checks = statefulContract({
    situation: (members) => {
      const brokers = members.map(({ of, member, isOutdated }, id) =>
        node(id, { ...{ readySince: undefined, ...member }, name: of, revision: isOutdated ? 'r0' : 'r1' }),
      );
      const fenced = ids(members, ({ isKnown }) => !isKnown);
      const controllers = [1_000, 1_001, 1_002].map((id) => node(id));
      const isAnswered = fenced.length < members.length;
      return situation([...brokers, ...controllers], {
        ...{ brokers: members.length, replaceAfter: 0, answeredAt: now },
        cluster: isAnswered ? answer({ fenced, ids: members.map((_, id) => id) }) : undefined,
      });
    },
    plan: (seen) => {
      const { pods, claims, steps } = planOf(seen);
      const names = (parts: readonly { readonly id: number }[]) =>
        parts.flatMap(({ id }) => (id < 1_000 ? [`member-${id + 1}`] : []));
      return { pods: names(pods), claims: names(claims), steps };
    },
  });
  for (const { name, holds } of checks) it(name, holds);
});
