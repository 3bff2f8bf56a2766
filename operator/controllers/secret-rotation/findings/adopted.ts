import { waitingMark } from '../../../consumers/adoption.js';
import { workloadsOf } from '../../../consumers/workloads.js';
import { type Mark, noEffectOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import type { Situation } from '../situation.js';
import { callNames, type RotationOutcome, workloadsIn } from '../view.js';
import { reportedMark } from './reported-mark.js';

type Adopted = Mark<keyof (typeof conditions)['Adopted']>;

/** Whether each consumer uses the credential. Undefined without consumers, and before they can have it. */
export function adoptedOf(outcome: RotationOutcome, situation: Situation, step: Step): Adopted | undefined {
  const { resource, polled, calls } = outcome;
  if (workloadsOf(resource.spec.consumers).length === 0 || !situation.isPublished) return undefined;
  if (situation.isAdopted) return { reason: 'Current' };
  const states = workloadsIn(outcome)?.states;
  if (!states) {
    const before = reportedMark('Adopted', resource, situation.current);
    if (before) return before as Adopted;
    const why = polled.workloads?.known === false ? polled.workloads.why : undefined;
    return { reason: 'ConsumersUnknown', ...(why && { message: `The consumers cannot be read: ${why}` }) };
  }
  const call = calls.of(callNames.rollout);
  const refusal = step.does === 'roll' && call.state === 'failed' ? call.why : undefined;
  const noEffect = step.does === 'roll' ? noEffectOf(call) : undefined;
  return waitingMark({ states, content: 'credential', refusal, noEffect });
}
