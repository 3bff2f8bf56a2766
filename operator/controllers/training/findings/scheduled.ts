import type { MarkOf } from '../conditions.js';
import { demandOf } from '../gang/demand.js';
import { isReduced } from '../gang/elastic.js';
import { currentIn, isStopping, placesIn } from '../job/job.js';
import { membersIn } from '../job/ranks.js';
import { scheduling } from '../job/starts.js';
import { planOf } from '../plan/index.js';
import type { Next, Situation } from '../situation.js';
import type { TrainingOutcome } from '../view.js';
import { endOfOldPods, pauseOf } from './wait-messages.js';

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
