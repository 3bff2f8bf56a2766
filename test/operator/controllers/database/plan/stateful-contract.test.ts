import { describe, it } from 'vitest';
import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import { planOf } from '../../../../../operator/controllers/database/plan/index.js';
import { type NamedState, statefulContract } from '../../../../../operator/testing/index.js';
import { position, replica, situation } from '../instances/given-instances.js';

/** The first instance is the primary. Replicas that are known stream from it. */
function instanceOf(state: NamedState, index: number, all: readonly NamedState[]): Instance {
  const { of, member, isOutdated, isKnown } = state;
  const { report: ofReplica } = replica(1);
  const streaming = Object.fromEntries(
    all.flatMap((one) => (one !== state && one.isKnown ? [[one.of, { synchronous: true }]] : [])),
  );
  const ofPrimary = { role: 'primary', state: 'running', timeline: 2, position, streaming } as const;
  return replica(index + 1, {
    ...{ node: undefined, zone: undefined, ...member, name: of },
    ...{ revision: isOutdated ? 'r0' : 'r1', isLabelledPrimary: index === 0 },
    report: !isKnown ? undefined : index === 0 ? ofPrimary : ofReplica,
  });
}

describe('the plan of a Database', () => {
  const checks = statefulContract({
    situation: (members) => situation(members.map(instanceOf), { wanted: members.length }),
    plan: (seen) => {
      const { pods, claims, steps } = planOf(seen, (serial) => `member-${serial}`);
      return { pods, claims: claims.map(({ name }) => name), steps };
    },
  });
  for (const { name, holds } of checks) it(name, holds);
});
