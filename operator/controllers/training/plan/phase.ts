import type { TrainingJobStatus } from '../../../../imports/index.js';
import type { Goodput } from './goodput.js';
import {
  currentIn,
  isCondemned,
  isInPlace,
  isStopping,
  type Memory,
  memberRanks,
  membersIn,
  type Situation,
} from './situation.js';
import { stalls } from './stalls.js';

type Phase = NonNullable<TrainingJobStatus['phase']>;

/** The phase of a job. @param memory after this reconcile */
export function phaseOf(situation: Situation, memory: Memory): Phase {
  const { spec, workers } = situation;
  if (memory.end) return memory.end.reason === 'Succeeded' ? 'Succeeded' : 'Failed';
  if (spec.suspend && workers.length === 0) return 'Suspended';
  const current = currentIn(situation);
  const waiting = memory.total > 0 ? 'Recovering' : 'Queued';
  if (current.length === 0) return waiting;
  // Members train while additional workers wait for room.
  if (isTraining(situation)) return 'Running';
  if (current.some(({ isGated }) => isGated)) return waiting;
  return memory.startTime === undefined ? 'Starting' : 'Recovering';
}

/** True if all ranks train, or are done. */
export function isTraining(situation: Situation): boolean {
  if (!isInPlace(situation)) {
    const current = currentIn(situation);
    return current.length > 0 && current.every(({ phase }) => phase === 'Running' || phase === 'Succeeded');
  }
  const ranks = memberRanks(situation);
  const busy = ['training', 'finishing', 'done'];
  const areBusy = ranks.length > 0 && ranks.every(({ state, behind }) => busy.includes(state) && !behind);
  // A rank that is stopped or gone is silent, and says what it said before.
  const isLost = membersIn(situation).some((member) => isCondemned(member, situation.memory));
  return areBusy && !isLost && stalls(situation).length === 0;
}

/** What the time of a job goes into. After a pause, it starts until it trains. */
export function activityOf(situation: Situation, phase: Phase, before: Goodput | undefined): Goodput['activity'] {
  if (phase === 'Succeeded' || phase === 'Failed') return 'Ended';
  if (phase === 'Running') return 'Training';
  if (phase === 'Suspended' || isStopping(situation)) return 'Suspended';
  return before?.activity === 'Suspended' || before?.activity === 'Starting' ? 'Starting' : 'Recovering';
}
