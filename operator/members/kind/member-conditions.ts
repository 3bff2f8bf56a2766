import type { CallState, Mark } from '../../runtime/index.js';
import { stepOf } from '../plan/plan.js';
import type { AnyStep } from '../plan/step.js';
import { withSends } from '../status/sends.js';
import { sentence } from '../status/sentence.js';
import { activeMembersIn, hasOtherRevision, type MemberSituation } from './member-plan.js';

/** Conditions of a stateful kind that need no words of its own. A kind adds others, such as `Available`. */
export const memberConditions = {
  /** Whether the desired members exist and run. */
  Provisioned: {
    MembersReady: ['True', 'All members are ready'],
    Provisioning: ['Unknown', 'Members are being created'],
    MemberNotReady: ['False', 'A member fails to become ready', 'Fix the cause in the message.'],
    NodeDeleted: [
      'False',
      'The node that has the volume of a member no longer exists',
      'Bring the node back, or wait for the new member.',
    ],
  },
  /** Whether every member runs the current spec. */
  UpToDate: {
    UpToDate: ['True', 'Every member runs the current spec'],
    RollingOut: ['Unknown', 'Members are being replaced one after another'],
    RolloutStalled: [
      'False',
      'The rollout is stalled, because a member does not become ready',
      'Fix the Pod in the message, or set the earlier value again. The other members serve.',
    ],
  },
} as const;

type Conditions = typeof memberConditions;
type ConditionMark<Type extends keyof Conditions> = Mark<Extract<keyof Conditions[Type], string>>;

/** What the conditions follow from. */
export interface MemberFindings {
  readonly situation: MemberSituation;
  readonly steps: readonly AnyStep[];
  /** Why an object cannot be written, as the outcome of a reconcile has it. */
  readonly blocker?: string | undefined;
  /** How far the call of the step got. @default - the kind sends none */
  readonly call?: CallState | undefined;
}

/** Both conditions. */
export function memberMarks(seen: MemberFindings): { readonly [Type in keyof Conditions]: ConditionMark<Type> } {
  return { Provisioned: provisionedOf(seen), UpToDate: upToDateOf(seen) };
}

/** Whether the desired members exist and run: the cause comes before what waits for it. */
function provisionedOf(seen: MemberFindings): ConditionMark<'Provisioned'> {
  const { situation, blocker } = seen;
  const members = activeMembersIn(situation);
  const lost = stepOf(seen, 'lost');
  if (lost) return { reason: 'NodeDeleted', message: lost.why };
  const refused = members.find(({ pod, claim }) => pod === 'none' && claim === 'there');
  if (refused && blocker !== undefined)
    return { reason: 'MemberNotReady', message: `${refused.name} has no Pod: ${blocker}` };
  const bad = members.find(({ isReady, trouble }) => !isReady && trouble !== undefined);
  if (bad) return { reason: 'MemberNotReady', message: `${bad.name} is not ready: ${bad.trouble}` };
  const step = stepOf(seen, 'expelled', 'provision');
  if (step) return { reason: 'Provisioning', message: sentence(withSends(step, seen.call)) };
  const waiting = members.filter(({ isReady }) => !isReady).map(({ name }) => name);
  if (waiting.length > 0) return { reason: 'Provisioning', message: `Waiting for ${waiting.join(', ')}` };
  return members.length < situation.wanted ? { reason: 'Provisioning' } : { reason: 'MembersReady' };
}

/** Whether every member runs the current spec. */
function upToDateOf(seen: MemberFindings): ConditionMark<'UpToDate'> {
  const { situation } = seen;
  const members = activeMembersIn(situation);
  const old = members.filter((member) => hasOtherRevision(member, situation));
  const step = stepOf(seen, 'update');
  if (situation.revision === undefined) return { reason: 'RollingOut', message: 'The desired Pods are not known yet' };
  if (old.length === 0 && !step) return { reason: 'UpToDate' };
  const left = `${members.length - old.length} of ${members.length} members run the current spec`;
  const bad = members.find((one) => !one.isReady && one.trouble !== undefined && !old.includes(one));
  if (bad && step?.act === 'wait') return { reason: 'RolloutStalled', message: `${left}; ${bad.name}: ${bad.trouble}` };
  return { reason: 'RollingOut', message: [left, ...(step ? [step.why] : [])].join('; ') };
}
