import type { TrainingJobStatus } from '../../../../imports/index.js';
import { stalls } from '../faults/stalls.js';
import { currentIn, isBackingOff, isCondemned, isInPlace, isStopping, type ObservedJob, placesIn } from '../job/job.js';
import { type Fault, isOpen, type Memory } from '../job/memory.js';
import { generationIn, memberRanks, membersIn, ranksOf } from '../job/ranks.js';
import type { Goodput } from './goodput.js';

type Phase = NonNullable<TrainingJobStatus['phase']>;

/** The phase of a job. @param memory after this reconcile */
export function phaseOf(job: ObservedJob, memory: Memory): Phase {
  const { spec, workers } = job;
  if (memory.end) return memory.end.reason === 'Succeeded' ? 'Succeeded' : 'Failed';
  if (spec.suspend && workers.length === 0) return 'Suspended';
  if (isStopping(job) && !isTraining(job)) return 'Stopping';
  const current = currentIn(job);
  const isRepaired = isInterrupted(job, memory);
  const waiting = isRepaired ? 'Recovering' : 'Queued';
  if (current.length === 0) return waiting;
  // Members train while additional workers wait for room.
  if (isTraining(job)) return 'Running';
  if (current.some(({ isGated, lacks }) => isGated || lacks === 'Volume')) return waiting;
  return memory.startTime !== undefined && isRepaired ? 'Recovering' : 'Starting';
}

/**
 * True while the job does not train because of a fault. Ranks that a lost one has left without a group, and members that
 * are silent, are signs of a fault that is not found yet. Without any, a job that does not train starts, for the first time
 * or after a pause.
 */
function isInterrupted(job: ObservedJob, { faults }: Memory): boolean {
  const isRecovering = faults.some((fault) => isOpen(fault) && fault.rendezvous !== undefined);
  const hasLeft = memberRanks(job).some(({ state, behind }) => state === 'waiting' && !behind);
  const isSilent = isInPlace(job) && membersIn(job).some((member) => ranksOf(member, job).length === 0);
  return isRecovering || hasLeft || isSilent;
}

/** True if all ranks train, or are done. With a loss that is not finite, they wait for their restart. */
export function isTraining(job: ObservedJob): boolean {
  if (isBackingOff(job)) return false;
  if (!isInPlace(job)) {
    const there = currentIn(job).filter(({ phase }) => phase === 'Running' || phase === 'Succeeded');
    return there.length === placesIn(job);
  }
  if (!job.report) return goesOn(job);
  const ranks = memberRanks(job);
  const busy = ['training', 'finishing', 'done'];
  const areBusy = ranks.length > 0 && ranks.every(({ state, behind }) => busy.includes(state) && !behind);
  // A rank that is stopped or gone is silent, and says what it said before.
  const isLost = membersIn(job).some((member) => isCondemned(member, job.memory));
  return areBusy && !isLost && !isPoisoned(job) && stalls(job).length === 0;
}

/** True if the ranks train with a loss that is not finite, until the Pod with the checkpoints is there for a rollback. */
function isPoisoned(job: ObservedJob): boolean {
  const { memory, spec } = job;
  const generation = generationIn(job);
  const isOfLoss = (fault: Fault) => fault.kind === 'NonFiniteLoss' && fault.rendezvous === generation;
  return spec.health.nonFiniteLoss !== 'Ignore' && memory.faults.some((fault) => isOfLoss(fault) && isOpen(fault));
}

/**
 * True if nothing speaks against what the status says of the ranks. It is all that is known before the first answer of the
 * coordinator to another process of the operator, and while the coordinator is away.
 */
function goesOn(job: ObservedJob): boolean {
  const { memory, wasTraining = false } = job;
  if (!wasTraining || memory.members.length === 0 || memory.faults.some(isOpen)) return false;
  const there = currentIn(job).filter(({ phase, isNodeLost }) => phase !== 'Failed' && !isNodeLost);
  return memory.members.every(({ uid }) => there.some((one) => one.uid === uid));
}

/** What the time of a job goes into. After a pause, it starts until it trains. */
export function activityOf(job: ObservedJob, phase: Phase, before: Goodput | undefined): Goodput['activity'] {
  if (phase === 'Succeeded' || phase === 'Failed') return 'Ended';
  if (phase === 'Running') return 'Training';
  if (phase === 'Suspended' || isStopping(job)) return 'Suspended';
  return before?.activity === 'Suspended' || before?.activity === 'Starting' ? 'Starting' : 'Recovering';
}
