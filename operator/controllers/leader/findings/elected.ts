import { type Mark, pollFailureOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { leadingCandidate } from '../election/leader.js';
import type { Step, Wait } from '../plan/index.js';
import { holderIn, holdingPod } from '../plan/tenure.js';
import type { Situation } from '../situation.js';
import { callNames, type ElectionOutcome } from '../view.js';

type Elected = Mark<keyof (typeof conditions)['Elected']>;

/** Whether a leader leads. */
export function electedOf(outcome: ElectionOutcome, situation: Situation, step: Step): Elected {
  return refusedCall(outcome) ?? waitOf(outcome, situation, step) ?? tenureMark(situation, step);
}

/** A request that the API server or a Pod does not accept. */
function refusedCall({ calls }: ElectionOutcome): Elected | undefined {
  const failed = Object.values(callNames)
    .map((name) => calls.of(name))
    .find((call) => call.state === 'failed' && call.kind !== 'retryable');
  return failed?.state === 'failed'
    ? { reason: 'CallFailed', message: `A request that elects a leader is refused: ${failed.why}` }
    : undefined;
}

const reasons: Readonly<Record<Wait, Elected['reason']>> = {
  rival: 'Duplicate',
  lease: 'LeaseUnknown',
  candidates: 'NoCandidates',
  reports: 'CandidatesSilent',
  fence: 'Fencing',
  promises: 'LeadingByPromises',
  expiry: 'WaitingForLease',
  replicas: 'TooFewReplicas',
  copy: 'NoCompleteCopy',
  histories: 'DifferentData',
  end: 'WaitingForPod',
  ready: 'NoneReady',
};

const sentences: Readonly<Partial<Record<Wait, string>>> = {
  rival: 'is an older LeaderElection that selects the same Pods',
  reports: 'do not answer the operator',
  fence: 'have not detached from the earlier leader yet',
  replicas: 'may have confirmed writes that no other candidate has, and do not answer',
  histories: 'have data of different histories',
  end: 'may still lead until the Pod does not exist any more',
  ready: 'are not ready',
};

function waitOf(outcome: ElectionOutcome, situation: Situation, step: Step): Elected | undefined {
  if (step.does !== 'wait') return undefined;
  const { why, names = [] } = step;
  const reason = reasons[why];
  const unread = why === 'lease' ? unreadCause(outcome) : undefined;
  if (unread !== undefined) return { reason, message: `The Lease or the Pods cannot be read: ${unread}` };
  const sentence = sentences[why];
  if (sentence === undefined || names.length === 0) return { reason };
  const cause = situation.candidates.find(
    ({ name, silence }) => names.includes(name) && silence !== undefined,
  )?.silence;
  return { reason, message: `${names.join(', ')} ${sentence}${cause === undefined ? '' : `: ${cause}`}` };
}

function unreadCause({ polled }: ElectionOutcome): string | undefined {
  return pollFailureOf(polled.lease) ?? pollFailureOf(polled.roles);
}

function tenureMark(situation: Situation, step: Step): Elected {
  const holder = holderIn(situation);
  const { lease, fencing } = situation;
  if (!holder || !lease || lease.state === 'absent') return { reason: 'Electing' };
  if (step.does !== 'rest' && !(step.does === 'assign' && step.why === 'roles')) return { reason: 'Electing' };
  const pod = holdingPod(situation);
  const leads = { reason: 'Leading', message: `${holder.name} leads in term ${lease.term}` } as const;
  if (fencing === 'pod')
    return pod?.hook?.role === 'leader' || !situation.spec.application.hooks ? leads : promoting(holder.name);
  if (leadingCandidate(lease, situation.candidates)) return leads;
  if (pod?.report) return promoting(holder.name, pod.report.problem);
  return {
    ...leads,
    message: `${leads.message}, and its launcher does not answer: ${pod?.silence ?? 'not asked yet'}`,
  };
}

function promoting(name: string, problem?: string): Elected {
  return { reason: 'Promoting', message: `${name} does not lead yet${problem === undefined ? '' : `: ${problem}`}` };
}
