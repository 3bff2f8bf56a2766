import type { TrainingJobStatus } from '../../../../imports/index.js';
import type { Goodput } from './goodput.js';
import {
  currentIn,
  type Fault,
  generationIn,
  isBackingOff,
  isCondemned,
  isInPlace,
  isOpen,
  isStopping,
  type Memory,
  memberRanks,
  membersIn,
  placesIn,
  ranksOf,
  type Situation,
} from './situation.js';
import { stalls } from './stalls.js';

type Phase = NonNullable<TrainingJobStatus['phase']>;

/** The phase of a job. @param memory after this reconcile */
export function phaseOf(situation: Situation, memory: Memory): Phase {
  const { spec, workers } = situation;
  if (memory.end) return memory.end.reason === 'Succeeded' ? 'Succeeded' : 'Failed';
  if (spec.suspend && workers.length === 0) return 'Suspended';
  if (isStopping(situation) && !isTraining(situation)) return 'Stopping';
  const current = currentIn(situation);
  const isRepaired = isInterrupted(situation, memory);
  const waiting = isRepaired ? 'Recovering' : 'Queued';
  if (current.length === 0) return waiting;
  // Members train while additional workers wait for room.
  if (isTraining(situation)) return 'Running';
  if (current.some(({ isGated }) => isGated)) return waiting;
  return memory.startTime !== undefined && isRepaired ? 'Recovering' : 'Starting';
}

/**
 * True while the job does not train because of a fault. Ranks that a lost one has left without a group, and members that
 * are silent, are signs of a fault that is not found yet. Without any, a job that does not train starts, for the first time
 * or after a pause.
 */
function isInterrupted(situation: Situation, { faults }: Memory): boolean {
  const isRecovering = faults.some((fault) => isOpen(fault) && fault.rendezvous !== undefined);
  const hasLeft = memberRanks(situation).some(({ state, behind }) => state === 'waiting' && !behind);
  const isSilent =
    isInPlace(situation) && membersIn(situation).some((member) => ranksOf(member, situation).length === 0);
  return isRecovering || hasLeft || isSilent;
}

/** True if all ranks train, or are done. With a loss that is not finite, they wait for their restart. */
export function isTraining(situation: Situation): boolean {
  if (isBackingOff(situation)) return false;
  if (!isInPlace(situation)) {
    const there = currentIn(situation).filter(({ phase }) => phase === 'Running' || phase === 'Succeeded');
    return there.length === placesIn(situation);
  }
  if (!situation.report) return goesOn(situation);
  const ranks = memberRanks(situation);
  const busy = ['training', 'finishing', 'done'];
  const areBusy = ranks.length > 0 && ranks.every(({ state, behind }) => busy.includes(state) && !behind);
  // A rank that is stopped or gone is silent, and says what it said before.
  const isLost = membersIn(situation).some((member) => isCondemned(member, situation.memory));
  return areBusy && !isLost && !isPoisoned(situation) && stalls(situation).length === 0;
}

/** True if the ranks train with a loss that is not finite, until the Pod with the checkpoints is there for a rollback. */
function isPoisoned(situation: Situation): boolean {
  const { memory, spec } = situation;
  const generation = generationIn(situation);
  const isOfLoss = (fault: Fault) => fault.kind === 'NonFiniteLoss' && fault.rendezvous === generation;
  return spec.health.nonFiniteLoss !== 'Ignore' && memory.faults.some((fault) => isOfLoss(fault) && isOpen(fault));
}

/**
 * True if nothing speaks against what the status says of the ranks. It is all that is known before the first answer of the
 * coordinator to another process of the operator, and while the coordinator is away.
 */
function goesOn(situation: Situation): boolean {
  const { memory, wasTraining = false } = situation;
  if (!wasTraining || memory.members.length === 0 || memory.faults.some(isOpen)) return false;
  const there = currentIn(situation).filter(({ phase, isNodeLost }) => phase !== 'Failed' && !isNodeLost);
  return memory.members.every(({ uid }) => there.some((one) => one.uid === uid));
}

/** What the time of a job goes into. After a pause, it starts until it trains. */
export function activityOf(situation: Situation, phase: Phase, before: Goodput | undefined): Goodput['activity'] {
  if (phase === 'Succeeded' || phase === 'Failed') return 'Ended';
  if (phase === 'Running') return 'Training';
  if (phase === 'Suspended' || isStopping(situation)) return 'Suspended';
  return before?.activity === 'Suspended' || before?.activity === 'Starting' ? 'Starting' : 'Recovering';
}
