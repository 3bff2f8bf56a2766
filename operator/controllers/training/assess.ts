import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingSelector } from '../../../src/index.js';
import { type Assessment, pollFailureOf, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import {
  activityOf,
  currentIn,
  type Goodput,
  generationIn,
  goodputAfter,
  isInPlace,
  isOpen,
  isReduced,
  isStopping,
  isTraining,
  lacksObject,
  type Memory,
  memberRanks,
  membersIn,
  nextDeadline,
  nextMemory,
  phaseOf,
  progressOf,
  ranksOf,
  type Situation,
  slownessOf,
  stepOf,
  stragglersIn,
} from './plan/index.js';
import {
  endOfOldPods,
  type MarkOf,
  missingObjectEvents,
  type Next,
  pauseOf,
  scheduledOf,
  type TrainingOutcome,
} from './scheduled.js';
import { sizeEvents } from './size-events.js';
import { situationOf, type TrainingView } from './view.js';

type Found = Assessment<TrainingJobResource, typeof conditions>;

/** Milliseconds until the next step. */
const soon = 50;

/** Derives the conditions and the status of a TrainingJob from its Pods and its coordinator. */
export function assess(outcome: TrainingOutcome): Found {
  const { resource } = outcome;
  const situation = situationOf({ ...outcome, leaving: outcome.pruning });
  const memory = nextMemory(situation);
  const phase = phaseOf(situation, memory);
  const hasEnded = memory.end !== undefined;
  const scheduled = scheduledOf(outcome, situation, { memory, phase });
  return {
    conditions: {
      Scheduled: scheduled,
      Training: trainingOf(outcome, situation, memory, phase),
      Healthy: healthOf(situation, memory),
    },
    status: { ...statusOf(resource, situation, { memory, phase }), phase },
    events: [...sizeEvents(situation, memory), ...missingObjectEvents(resource, scheduled)],
    // What was written down now is acted on at once.
    ...(!hasEnded && nextLook(situation, memory)),
  };
}

/** The time at which a limit is reached. Answers and Pods wake the controller by themselves. */
function nextLook(situation: Situation, memory: Memory): { readonly requeueAfter?: number } {
  const before = situation.memory;
  const isOther = (['total', 'incarnation', 'displacedBy', 'stoppingTime'] as const).some(
    (name) => memory[name] !== before[name],
  );
  const isSmaller = memory.displacedBy !== undefined && memory.members.length < before.members.length;
  if (isOther || isSmaller) return { requeueAfter: soon };
  const due = nextDeadline(situation, memory);
  return due === undefined ? {} : { requeueAfter: Math.max(soon, due - situation.now) };
}

function trainingOf(
  { resource, polled }: TrainingView,
  situation: Situation,
  memory: Memory,
  phase: Next['phase'],
): MarkOf<'Training'> {
  if (memory.end) return endedMark(resource, memory);
  if (phase === 'Suspended') return { reason: 'Suspended' };
  if (isStopping(situation)) return { reason: 'Stopping' };
  const stuck = phase === 'Running' ? undefined : stuckMark(situation);
  if (stuck) return stuck;
  const why = pollFailureOf(polled.coordinator);
  if (why !== undefined && generationIn(situation) > 0)
    return { reason: 'CoordinatorUnreachable', message: `The coordinator does not answer: ${why}` };
  const pause = pauseOf({ ...situation, memory });
  if (pause !== undefined) return { reason: 'BackingOff', message: pause };
  if (phase === 'Running' && isReduced(situation))
    return {
      reason: 'FewerWorkers',
      message: `${membersIn(situation).length} of ${situation.spec.workers} workers train`,
    };
  if (phase === 'Running') return { reason: 'Training' };
  const held = currentIn(situation).find(({ trouble }) => trouble !== undefined);
  const reason = phase === 'Recovering' ? ('Recovering' as const) : ('Starting' as const);
  const old = endOfOldPods({ ...situation, memory });
  if (old !== undefined) return { reason, message: old };
  return held ? { reason, message: `Worker ${held.name} does not run: ${held.trouble}` } : { reason };
}

/** What nobody can wait for. Workers without a node are a matter of `Scheduled`. */
function stuckMark(situation: Situation): MarkOf<'Training'> | undefined {
  const workers = currentIn(situation);
  const stuck = workers.find(({ lacks }) => lacks === 'Image' || lacks === 'Container');
  const reason = stuck?.lacks === 'Image' ? ('ImageUnavailable' as const) : ('ContainerNotCreated' as const);
  if (stuck) return { reason, message: `Worker ${stuck.name} cannot start: ${stuck.trouble}` };
  // The kubelet reports a volume that it cannot mount in events only.
  const unmounted = workers.find(
    (one) => one.phase === 'Pending' && one.node !== undefined && lacksObject(one, situation),
  );
  const obstacle = situation.missingObject?.obstacle;
  return unmounted && { reason: 'ContainerNotCreated', message: `Worker ${unmounted.name} cannot start: ${obstacle}` };
}

/** The reason of a failure is in the condition since the job ended. */
function endedMark({ status }: TrainingJobResource, { end }: Memory): MarkOf<'Training'> {
  const before = status?.conditions?.find(({ type }) => type === 'Training');
  if (status?.completionTime !== undefined && before)
    return { reason: before.reason as MarkOf<'Training'>['reason'], message: before.message };
  const reason = end?.reason ?? 'RestartsExhausted';
  return end?.message === undefined ? { reason } : { reason, message: end.message };
}

const faultReasons: Readonly<Record<string, MarkOf<'Healthy'>['reason']>> = {
  RankStalled: 'RankStalled',
  Deadlock: 'RankStalled',
  StartTimeout: 'RankStalled',
  NonFiniteLoss: 'LossNotFinite',
  ProcessFailed: 'ProcessFailed',
  Straggler: 'Straggling',
  LogHanging: 'LogRuleBroken',
  LogSlow: 'LogRuleBroken',
  LogFault: 'LogRuleBroken',
};

/** A new fault counts, and one after which not all ranks have trained yet. A repaired one is not told again. */
function healthOf(situation: Situation, memory: Memory): MarkOf<'Healthy'> {
  if (memory.end) return { reason: 'Completed' };
  const [newest] = memory.faults;
  const isNew = newest !== undefined && !situation.memory.faults.some(({ id }) => id === newest.id);
  const open = isTraining(situation) ? undefined : memory.faults.find(isOpen);
  const fault = isNew ? newest : open;
  if (fault) {
    const place = [fault.pod && `Pod ${fault.pod}`, fault.node && `node ${fault.node}`].filter(Boolean).join(' on ');
    const message = `${fault.kind}${place ? ` of ${place}` : ''}: ${fault.message ?? 'no details'}`;
    return { reason: faultReasons[fault.kind] ?? 'WorkerLost', message };
  }
  const [slow] = stragglersIn(situation, memory.slowSince);
  if (slow) return { reason: 'Straggling', message: slownessOf(slow, situation, memory.slowSince) };
  const [unread] = situation.logs?.failures ?? [];
  if (unread !== undefined) return { reason: 'LogsUnknown', message: `The logs are not all known: ${unread}` };
  return { reason: memory.startTime === undefined ? 'NotStarted' : 'Healthy' };
}

function statusOf({ metadata, spec, status }: TrainingJobResource, situation: Situation, { memory, phase }: Next) {
  const ranks = memberRanks(situation);
  const first = ranks.find(({ rank }) => rank === 0);
  const steps = ranks.flatMap((one) => (one.rank === undefined ? [] : (stepOf(one) ?? [])));
  const step = steps.length > 0 ? Math.min(...steps) : status?.step;
  // The coordinator of a job that has ended is not asked any more.
  const loss = first ? first.loss : status?.loss;
  const total = first?.steps ?? status?.steps;
  const saved = ranks.flatMap(({ checkpoint }) => checkpoint ?? [])[0] ?? status?.checkpoint;
  const labels = Object.entries(trainingSelector(metadata.name, 'worker'));
  const workers = currentIn(situation);
  const goodput = goodputOf(status?.goodput, situation, { memory, phase, step: step ?? 0 });
  const counts = Object.entries(memory.counts ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...timesOf(memory),
    ...(memory.displacedBy !== undefined && { displacedBy: memory.displacedBy }),
    ...(memory.displacedGeneration !== undefined && { displacedRendezvous: memory.displacedGeneration }),
    rendezvous: memory.generation,
    incarnation: memory.incarnation,
    ...(step !== undefined && { step }),
    ...(total !== undefined && { steps: total }),
    ...progressOf(goodput, total),
    // The column of `kubectl get` prints every digit.
    ...(loss !== undefined && { loss: Number(loss.toPrecision(5)) }),
    workers: Math.min(spec.workers, workers.length),
    ready: `${readyIn(situation, memory)}/${spec.workers}`,
    selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    ranks: memory.members.map(({ worker, uid }, index) => ({
      ...rankStatus({ worker, uid, index }, situation),
      ...(memory.slowSince[uid] !== undefined && { slowSince: memory.slowSince[uid] }),
    })),
    restarts: {
      ...{ partial: memory.partial, full: memory.full, total: memory.total },
      ...(memory.windowStart !== undefined && { windowStart: timestampOf(memory.windowStart) }),
      ...((memory.spikes ?? 0) > 0 && { spikes: memory.spikes }),
      ...(memory.backoffUntil !== undefined && { backoffUntil: timestampOf(memory.backoffUntil) }),
    },
    faults: memory.faults,
    ...(counts.length > 0 && { faultCounts: counts.map(([kind, count]) => ({ kind, count })) }),
    ...(goodput && { goodput }),
    ...(saved && { checkpoint: saved }),
  };
}

/** Without the module, it is not known how many steps were done. */
function goodputOf(
  before: Goodput | undefined,
  situation: Situation,
  { memory, phase, step }: Next & { readonly step: number },
): Goodput | undefined {
  if (!isInPlace(situation)) return undefined;
  const [newest] = memory.faults;
  const isNew = newest !== undefined && (!before || Date.parse(newest.time) >= Date.parse(before.updateTime));
  const isStalled = isNew && faultReasons[newest.kind] === 'RankStalled';
  const activity = activityOf(situation, phase, before);
  const hasRegrouped = memory.generation !== situation.memory.generation;
  return goodputAfter(before, { now: situation.now, activity, step, isStalled, hasRegrouped });
}

function timesOf(memory: Memory) {
  const { generationTime, openedTime, stoppingTime, startTime, end } = memory;
  const time = (name: string, at: number | undefined) => (at === undefined ? {} : { [name]: timestampOf(at) });
  return {
    ...time('rendezvousTime', generationTime),
    ...time('openedTime', openedTime),
    ...time('stoppingTime', stoppingTime),
    ...time('startTime', startTime),
    ...time('completionTime', end?.time),
  };
}

function readyIn(situation: Situation, { end }: Memory): number {
  if (end) return 0;
  const running = currentIn(situation).filter(({ phase }) => phase === 'Running');
  if (!isInPlace(situation)) return running.length;
  return membersIn(situation).filter(({ uid }) => running.some((one) => one.uid === uid)).length;
}

function rankStatus(
  { worker, uid, index }: { readonly worker: string; readonly uid: string; readonly index: number },
  situation: Situation,
) {
  const pod = situation.workers.find((one) => one.uid === uid);
  const [rank] = ranksOf({ uid }, situation);
  const step = rank && stepOf(rank);
  return {
    ...{ pod: worker, uid, index },
    ...(pod?.node !== undefined && { node: pod.node }),
    ...(rank && { state: rank.state }),
    ...(step !== undefined && { step }),
  };
}
