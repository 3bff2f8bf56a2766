import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { leadingCandidate } from '../election/leader.js';
import { holderIn } from '../plan/tenure.js';
import type { Situation } from '../situation.js';

type Replicated = Mark<keyof (typeof conditions)['Replicated']>;

/** Whether enough replicas confirm writes. Undefined if none need to, and without a leader. */
export function replicatedOf(situation: Situation): Replicated | undefined {
  const { lease, candidates, spec, fencing } = situation;
  const { minReplicas } = spec.safety;
  if (fencing !== 'launcher' || minReplicas === 0 || !holderIn(situation)) return undefined;
  const leader = leadingCandidate(lease, candidates);
  if (!leader) return { reason: 'ReplicasUnknown' };
  // A launcher omits an empty list.
  const { confirmedBy: confirmed = [] } = leader.report.application;
  if (confirmed.length >= minReplicas) return { reason: 'Confirmed' };
  const [count, verb] = minReplicas === 1 ? ['1 replica', 'confirms'] : [`${minReplicas} replicas`, 'confirm'];
  return {
    reason: 'WritesRefused',
    message: `The leader refuses writes until ${count} ${verb} them, got ${confirmed.length}`,
  };
}
