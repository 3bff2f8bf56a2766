import type { TrainingJobResource, TrainingJobStatus } from '../../../imports/index.js';
import { type Mark, type Outcome, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { demandOf } from './desire.js';
import {
  currentIn,
  isBackingOff,
  isReduced,
  isStopping,
  type Memory,
  membersIn,
  oldPodsIn,
  placesIn,
  planOf,
  type Situation,
  scheduling,
} from './plan/index.js';
import type { TrainingView } from './view.js';

/** What the status of a TrainingJob follows from. */
export type TrainingOutcome = TrainingView & Pick<Outcome, 'calls' | 'accepted' | 'pruning' | 'blocker'>;

/** A condition without its type. */
export type MarkOf<T extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[T], string>>;

/** What is known after a reconcile. */
export interface Next {
  readonly memory: Memory;
  readonly phase: NonNullable<TrainingJobStatus['phase']>;
}

/** Whether all workers have a node, and what those that have none wait for. */
export function scheduledOf(
  outcome: TrainingOutcome,
  situation: Situation,
  { memory, phase }: Next,
): MarkOf<'Scheduled'> {
  const { spec, workers } = situation;
  if (memory.end) return { reason: 'Completed' };
  if (spec.suspend && workers.length === 0) return { reason: 'Suspended' };
  const { queued, displaces } = planOf(situation, demandOf(outcome, situation.memory));
  const old = endOfOldPods({ ...situation, memory });
  if (old !== undefined) return { reason: 'Queued', message: old };
  const pause = currentIn({ ...situation, memory }).length === 0 ? pauseOf({ ...situation, memory }) : undefined;
  if (pause !== undefined) return { reason: 'Queued', message: pause };
  const unplaced = scheduling(situation);
  const missing = unplaced.find(({ lacks }) => lacks === 'Claim');
  const trouble = (missing ?? unplaced.find((one) => one.trouble !== undefined))?.trouble;
  const some = unplaced.length === 1 ? '1 worker has' : `${unplaced.length} workers have`;
  const waiting = `${some} no node yet${trouble === undefined ? '' : `; ${trouble}`}`;
  const refused = refusalOf(outcome, situation);
  if (phase === 'Running' && isReduced(situation))
    return { reason: 'FewerWorkers', message: fewerMessage(situation, refused ?? queued ?? (unplaced[0] && waiting)) };
  if (refused !== undefined) return { reason: 'Queued', message: `The workers wait: ${refused}` };
  if (queued !== undefined) {
    const { missingObject: missed } = situation;
    const reason = displaces ? ('Displacing' as const) : ('Queued' as const);
    return {
      reason: queued === missed?.obstacle ? missedReasons[missed.kind] : reason,
      message: `The workers wait: ${queued}`,
    };
  }
  if (unplaced.length > 0) return { reason: missing ? 'ClaimNotFound' : 'Scheduling', message: waiting };
  return { reason: currentIn(situation).length === 0 ? 'Queued' : 'WorkersScheduled' };
}

const missedReasons = {
  PersistentVolumeClaim: 'ClaimNotFound',
  ConfigMap: 'ConfigMapNotFound',
  Secret: 'SecretNotFound',
} as const;

/** The runtime reports a condition that becomes False, but not a new one, or one with another message. */
export function missingObjectEvents(
  { status }: TrainingJobResource,
  { reason, message: note = '' }: MarkOf<'Scheduled'>,
) {
  const before = status?.conditions?.find(({ type }) => type === 'Scheduled');
  const isMissing = Object.values(missedReasons).some((one) => one === reason);
  const isReported = before && (before.status !== 'False' || before.message === note);
  return isMissing && !isReported ? [{ type: 'Warning' as const, reason, note }] : [];
}

/** Why a Pod could not be created, for example by a quota. Undefined if none is missing. */
function refusalOf({ blocker }: TrainingOutcome, situation: Situation): string | undefined {
  const isMissing = currentIn(situation).length < placesIn(situation) && !isStopping(situation);
  return isMissing ? blocker : undefined;
}

/** What new Pods wait for before they are created, as a sentence. Undefined if they do not. */
export function endOfOldPods(situation: Situation): string | undefined {
  const { length } = isStopping(situation) ? [] : oldPodsIn(situation);
  return length === 0 ? undefined : `Waiting for ${length} old ${length === 1 ? 'Pod' : 'Pods'} to end`;
}

/** How long the next restart waits, as a sentence. Undefined if it does not. */
export function pauseOf({ memory, spec, now }: Pick<Situation, 'memory' | 'spec' | 'now'>): string | undefined {
  const { backoffUntil, spikes } = memory;
  if (backoffUntil === undefined || !isBackingOff({ memory, now })) return undefined;
  return `The job restarts at ${timestampOf(backoffUntil)}, after ${spikes} faults of the loss in ${spec.restarts.window}`;
}

function fewerMessage(situation: Situation, obstacle = 'the others are starting'): string {
  const { workers } = situation.spec;
  return `The job trains with ${membersIn(situation).length} of ${workers} workers: ${obstacle}; the others join when they have a node`;
}
