import type { TrainingJobResource } from '../../../../imports/index.js';
import { conditionOf } from '../../../runtime/index.js';
import type { conditions, MarkOf } from '../conditions.js';
import { demandOf } from '../gang/demand.js';
import { isReduced } from '../gang/elastic.js';
import { awaitedIn, endWithin, overdueIn } from '../job/ending.js';
import { currentIn, isStopping, placesIn } from '../job/job.js';
import { membersIn } from '../job/ranks.js';
import { scheduling } from '../job/starts.js';
import { planOf } from '../plan/index.js';
import type { Next, Situation } from '../situation.js';
import type { TrainingOutcome } from '../view.js';
import { volumeObstacle } from '../workers/mounted-claims.js';
import type { Worker } from '../workers/worker.js';
import { endOfOldPods, pauseOf } from './wait-messages.js';

/** Whether all workers have a node, and what those that have none wait for. */
export function scheduledOf(
  outcome: TrainingOutcome,
  situation: Situation,
  { memory, phase }: Next,
): MarkOf<'Scheduled'> {
  const { spec, workers } = situation;
  if (memory.end) return completedMark(outcome, { ...situation, memory });
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
  const homeless = unplaced.find(({ lacks }) => lacks === 'Volume');
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
  if (homeless && !missing)
    return { reason: 'Queued', message: `The workers wait: ${volumeObstacle(homeless, situation.claims ?? [])}` };
  if (unplaced.length > 0) return { reason: missing ? 'ClaimNotFound' : 'Scheduling', message: waiting };
  return { reason: currentIn(situation).length === 0 ? 'Queued' : 'WorkersScheduled' };
}

/** Pods that were stopped are told when they are gone, too. */
function completedMark({ resource }: TrainingOutcome, situation: Situation): MarkOf<'Scheduled'> {
  const [awaited, overdue] = [awaitedIn(situation), overdueIn(situation)];
  const waiting = `The job has ended, and waits up to ${endWithin} s for the end of ${podsOf(awaited)}`;
  if (awaited.length > 0) return { reason: 'Completed', message: waiting };
  const ranOn = ` ran for another ${endWithin} s, and ${overdue.length === 1 ? 'was' : 'were'} stopped`;
  if (overdue.length > 0) return { reason: 'PodsStopped', message: `The job has ended; ${podsOf(overdue)}${ranOn}` };
  return stoppedBefore(resource) ?? { reason: 'Completed' };
}

/** What the status says of Pods that did not end in time. Undefined if all did. */
export function stoppedBefore(resource: Pick<TrainingJobResource, 'status'>): MarkOf<'Scheduled'> | undefined {
  const reason = 'PodsStopped' as const;
  const before = conditionOf<typeof conditions>(resource, 'Scheduled');
  return before?.reason === reason ? { reason, message: before.message } : undefined;
}

function podsOf(workers: readonly Worker[]): string {
  return `${workers.length === 1 ? 'Pod' : 'Pods'} ${workers.map(({ name }) => name).join(', ')}`;
}

/** Reasons for an object that does not exist, by its kind. */
export const missedReasons = {
  PersistentVolumeClaim: 'ClaimNotFound',
  ConfigMap: 'ConfigMapNotFound',
  Secret: 'SecretNotFound',
} as const;

/** Why a Pod could not be created, for example by a quota. Undefined if none is missing. */
function refusalOf({ blocker }: TrainingOutcome, situation: Situation): string | undefined {
  const isMissing = currentIn(situation).length < placesIn(situation) && !isStopping(situation);
  return isMissing ? blocker : undefined;
}

function fewerMessage(situation: Situation, obstacle = 'the others are starting'): string {
  const { workers } = situation.spec;
  return `The job trains with ${membersIn(situation).length} of ${workers} workers: ${obstacle}; the others join when they have a node`;
}
