import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingSelector } from '../../../src/index.js';
import { scaleSelector } from '../../members/index.js';
import { timestampOf } from '../../runtime/index.js';
import { faultReasons } from './findings/healthy.js';
import { currentIn, isInPlace } from './job/job.js';
import type { Memory } from './job/memory.js';
import { memberRanks, membersIn, ranksOf, stepsDone } from './job/ranks.js';
import { type Goodput, goodputAfter } from './progress/goodput.js';
import { activityOf } from './progress/phase.js';
import { progressOf } from './progress/progress.js';
import type { Next, Situation } from './situation.js';

/** The status of a job after a reconcile. */
export function statusOf(
  { metadata, spec, status }: TrainingJobResource,
  situation: Situation,
  { memory, phase }: Next,
) {
  const ranks = memberRanks(situation);
  const first = ranks.find(({ rank }) => rank === 0);
  const steps = ranks.flatMap((one) => (one.rank === undefined ? [] : (stepsDone(one) ?? [])));
  const step = steps.length > 0 ? Math.min(...steps) : status?.step;
  // The coordinator of a job that has ended is not asked any more.
  const loss = first ? first.loss : status?.loss;
  const total = first?.steps ?? status?.steps;
  const saved = ranks.flatMap(({ checkpoint }) => checkpoint ?? [])[0] ?? status?.checkpoint;
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
    selector: scaleSelector(trainingSelector(metadata.name, 'worker')),
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
  const { generationTime, openedTime, stoppingTime, refusedTime, startTime, end } = memory;
  const time = (name: string, at: number | undefined) => (at === undefined ? {} : { [name]: timestampOf(at) });
  return {
    ...time('rendezvousTime', generationTime),
    ...time('openedTime', openedTime),
    ...time('stoppingTime', stoppingTime),
    ...time('refusedTime', refusedTime),
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
  const step = rank && stepsDone(rank);
  return {
    ...{ pod: worker, uid, index },
    ...(pod?.node !== undefined && { node: pod.node }),
    ...(rank && { state: rank.state }),
    ...(step !== undefined && { step }),
  };
}
