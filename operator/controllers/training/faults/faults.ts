import { secondsOf } from '../../../../crds/index.js';
import { exitMessage } from '../../../pods/exit-message.js';
import { currentIn, isInPlace, isStopping, placesIn } from '../job/job.js';
import { evicted } from '../job/memory.js';
import { generationIn, isFinishing, isPastJoin, isPastSteps, memberRanks, membersIn } from '../job/ranks.js';
import { hasBegun, ofThisStart } from '../job/starts.js';
import type { LauncherFault } from '../ports/coordinator.js';
import type { Worker } from '../workers/worker.js';
import { type LoggedJob, logFaults } from './log-faults.js';
import { lossFaultsOf, type NewFault, placeOf } from './new-fault.js';
import { lateStart, stalls } from './stalls.js';
import { stragglerFaults } from './stragglers.js';

/** The faults that the memory does not have yet. Each has an identifier that follows from its cause. */
export function newFaults(job: LoggedJob): readonly NewFault[] {
  const { memory } = job;
  if (memory.end || isStopping(job) || memory.stoppingTime !== undefined) return [];
  const known = new Set(memory.faults.map(({ id }) => id));
  const ofProcesses = isInPlace(job) ? processFaults(job) : [];
  const found = [...podFaults(job), ...idleEnds(job), ...ofProcesses, ...logFaults(job)];
  const distinct = new Map(found.filter(({ id }) => !known.has(id)).map((fault) => [fault.id, fault]));
  return [...distinct.values()];
}

/** Pods that failed, that are gone, or whose machine is lost. */
function podFaults(job: LoggedJob): readonly NewFault[] {
  const { workers, memory } = job;
  const grade = isInPlace(job) ? ('Pod' as const) : ('Job' as const);
  const ofPods = currentIn(job).flatMap((one) => {
    const cause = causeOf(one);
    const late = one.ended === undefined ? undefined : job.now - Date.parse(one.ended);
    const detected = late === undefined ? {} : { detectionSeconds: Math.max(0, Math.round(late / 1_000)) };
    return cause ? [{ ...placeOf(one, job), id: `pod-${one.uid}`, grade, ...cause, ...detected }] : [];
  });
  const isThere = (uid: string) =>
    workers.some((one) => one.uid === uid && (!one.isEnding || one.phase === 'Succeeded' || one.phase === 'Failed'));
  const gone = memory.members
    .filter(({ uid }) => !isThere(uid))
    .map(({ worker, uid, node: before }) => {
      const seen = workers.find((one) => one.uid === uid);
      const place = placeOf({ name: worker, uid, node: seen?.node ?? before }, job);
      return { ...place, id: `pod-${uid}`, grade, ...lossOf(worker, seen) };
    });
  return [...ofPods, ...gone, ...lostPlaces(job)];
}

/** Places of a job with `recovery: Restart` whose Pod was lost after the start. A Pod that has exited with 0 needs no other. */
function lostPlaces(job: LoggedJob): readonly NewFault[] {
  if (isInPlace(job) || !hasBegun(job)) return [];
  const current = currentIn(job);
  const own = ofThisStart(job);
  const places = Array.from({ length: placesIn(job) }, (_, index) => index);
  const empty = places.filter((index) => !current.some((one) => one.index === index));
  return empty.flatMap((index): readonly NewFault[] => {
    const last = own.findLast((one) => one.index === index);
    if (last?.phase === 'Succeeded') return [];
    const grade = 'Job' as const;
    return last
      ? [{ ...placeOf(last, job), grade, id: `pod-${last.uid}`, ...lossOf(last.name, last) }]
      : [
          {
            ...{ kind: 'PodLost', grade },
            id: `lost-${job.memory.incarnation}-${index}`,
            message: `the Pod of worker ${index} was deleted`,
          },
        ];
  });
}

function lossOf(name: string, seen: Worker | undefined): Pick<NewFault, 'kind' | 'message'> {
  return seen?.isEvicted
    ? { kind: evicted, message: `Pod ${name} was evicted` }
    : { kind: 'PodLost', message: `Pod ${name} was deleted` };
}

function causeOf({
  name,
  phase,
  isEvicted,
  isNodeLost,
  node,
  trouble,
}: Worker): Pick<NewFault, 'kind' | 'message'> | undefined {
  if (phase === 'Failed' && isEvicted) return { kind: evicted, message: `Pod ${name} was evicted` };
  if (phase === 'Failed') return { kind: 'PodFailed', message: clipped(trouble ?? `Pod ${name} has failed`) };
  if (isNodeLost && phase === 'Running') return { kind: 'NodeLost', message: `node ${node} is not ready` };
  return undefined;
}

/** Limit of a message in the status. */
const clipped = (message: string) => message.slice(0, 512);

/** What launchers and ranks report. */
function processFaults(job: LoggedJob): readonly NewFault[] {
  if (!job.report) return [];
  return [
    ...launcherFaults(job),
    ...lossFaults(job),
    ...stalls(job),
    ...earlyEnds(job),
    ...lateStart(job),
    ...stragglerFaults(job),
  ];
}

function launcherFaults(job: LoggedJob): readonly NewFault[] {
  const { report } = job;
  const current = currentIn(job);
  return (report?.faults ?? []).flatMap((said): readonly NewFault[] => {
    const { id, uid, kind, grade } = said;
    const worker = current.find((one) => one.uid === uid);
    // A restart that was ordered follows from a fault that counts already.
    if (!worker || kind === 'ordered') return [];
    const place = placeOf(worker, job);
    const message = causeIn(said);
    return grade === 'pod'
      ? [{ ...place, id: `pod-${uid}`, kind: 'DeviceFailed', grade: 'Pod' as const, message: clipped(message) }]
      : [
          {
            ...place,
            id: `exit-${id}`,
            kind: 'ProcessFailed',
            grade: 'Process' as const,
            message: clipped(message),
          },
        ];
  });
}

/** A program that ends by itself says why as an exception: to the module, or in its output. */
function causeIn({ kind, message, exitCode, output }: LauncherFault): string {
  if (exitCode === undefined || (kind !== 'exit' && kind !== 'cuda')) return message;
  return exitMessage({ exitCode, output: message === `exit code ${exitCode}` ? output : message });
}

/** A loss that is not finite is the fault of all ranks: gradients are summed. The first report counts. */
function lossFaults(job: LoggedJob): readonly NewFault[] {
  if (job.spec.health.nonFiniteLoss === 'Ignore') return [];
  const generation = generationIn(job);
  const first = memberRanks(job)
    .filter((rank) => rank.firstNonFinite !== undefined && rank.generation === generation && isPastJoin(rank))
    .toSorted((a, b) => (a.firstNonFinite ?? 0) - (b.firstNonFinite ?? 0))[0];
  if (first?.firstNonFinite === undefined) return [];
  const step = first.firstNonFinite;
  const message = `the loss of step ${step} is not finite`;
  return [
    {
      ...{
        id: `${lossFaultsOf(generation)}${step}`,
        kind: 'NonFiniteLoss',
        grade: 'Generation',
        pod: first.worker,
        step,
        message,
      },
      ...(first.rank !== undefined && { rank: first.rank }),
    },
  ];
}

/** Milliseconds after the end of a Pod until the answers of the coordinator cannot be from before it any more. */
const settledAfter = 10_000;

/** Pods that have exited with 0 before they were in a generation. A spare has nothing to do any more at the end of training. */
function idleEnds(job: LoggedJob): readonly NewFault[] {
  if (!isInPlace(job) || isFinishing(job)) return [];
  const members = membersIn(job);
  return currentIn(job)
    .filter(({ uid, phase }) => phase === 'Succeeded' && !members.some((member) => member.uid === uid))
    .filter((worker) => hasSettled(worker, job))
    .map((worker) => {
      const message = `Pod ${worker.name} has ended with exit code 0 before it had a rank`;
      return { ...placeOf(worker, job), id: `pod-${worker.uid}`, kind: 'EndedEarly', grade: 'Pod', message };
    });
}

/** Answers of the coordinator cannot be from before the end of the Pod any more. */
const hasSettled = ({ ended }: Worker, { now }: LoggedJob) =>
  ended === undefined || now - Date.parse(ended) >= settledAfter;

/** Members that have exited with 0 while others still need them. At the end of training, no rank loses another. */
function earlyEnds(job: LoggedJob): readonly NewFault[] {
  const { spec } = job;
  const ranks = memberRanks(job);
  const isLost = ranks.some(({ state, behind }) => state === 'waiting' && !behind);
  const isAwaited = ranks.some(({ state, behind }) => state === 'joining' && !behind);
  // The kubelet tells of an end after seconds: the next generation can have begun with a member that never enters it.
  const isMissing = (uid: string) => isAwaited && ranks.some((rank) => rank.uid === uid && rank.behind);
  const isSilent = (uid: string) =>
    ranks.some((rank) => rank.uid === uid && !isPastSteps(rank) && rank.age >= secondsOf(spec.health.stalledAfter)) &&
    ranks.some((rank) => rank.uid !== uid && !isPastSteps(rank));
  const members = membersIn(job);
  const exited = currentIn(job).filter(
    ({ uid, phase }) => phase === 'Succeeded' && members.some((member) => member.uid === uid),
  );
  // If nobody is left, this is the end: what the others said is from before.
  if (exited.length === members.length) return [];
  return exited
    .filter((worker) => hasSettled(worker, job))
    .filter(({ uid }) => isLost || isMissing(uid) || isSilent(uid))
    .map((worker) => {
      const message = `Pod ${worker.name} has ended with exit code 0 while other ranks train`;
      return { ...placeOf(worker, job), id: `pod-${worker.uid}`, kind: 'EndedEarly', grade: 'Pod', message };
    });
}
