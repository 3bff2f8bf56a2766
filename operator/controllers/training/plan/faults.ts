import { secondsOf } from '../../../../crds/index.js';
import type { LauncherFault } from '../ports/coordinator.js';
import { exitMessage } from './exit-message.js';
import { hasBegun, ofThisStart } from './gang.js';
import { logFaults } from './log-faults.js';
import { lossFaultsOf, type NewFault, placeOf } from './new-fault.js';
import {
  currentIn,
  generationIn,
  isFinishing,
  isInPlace,
  isPastJoin,
  isPastSteps,
  isStopping,
  memberRanks,
  membersIn,
  placesIn,
  type Situation,
  type Worker,
} from './situation.js';
import { lateStart, stalls } from './stalls.js';
import { stragglerFaults } from './stragglers.js';

/** The faults that the memory does not have yet. Each has an identifier that follows from its cause. */
export function newFaults(situation: Situation): readonly NewFault[] {
  const { memory } = situation;
  if (memory.end || isStopping(situation) || memory.stoppingTime !== undefined) return [];
  const known = new Set(memory.faults.map(({ id }) => id));
  const ofProcesses = isInPlace(situation) ? processFaults(situation) : [];
  const found = [...podFaults(situation), ...idleEnds(situation), ...ofProcesses, ...logFaults(situation)];
  const distinct = new Map(found.filter(({ id }) => !known.has(id)).map((fault) => [fault.id, fault]));
  return [...distinct.values()];
}

/** Pods that failed, that are gone, or whose machine is lost. */
function podFaults(situation: Situation): readonly NewFault[] {
  const { workers, memory } = situation;
  const grade = isInPlace(situation) ? ('Pod' as const) : ('Job' as const);
  const ofPods = currentIn(situation).flatMap((one) => {
    const cause = causeOf(one);
    const late = one.ended === undefined ? undefined : situation.now - Date.parse(one.ended);
    const detected = late === undefined ? {} : { detectionSeconds: Math.max(0, Math.round(late / 1_000)) };
    return cause ? [{ ...placeOf(one, situation), id: `pod-${one.uid}`, grade, ...cause, ...detected }] : [];
  });
  const isThere = (uid: string) =>
    workers.some((one) => one.uid === uid && (!one.isEnding || one.phase === 'Succeeded' || one.phase === 'Failed'));
  const gone = memory.members
    .filter(({ uid }) => !isThere(uid))
    .map(({ worker, uid, node: before }) => {
      const seen = workers.find((one) => one.uid === uid);
      const place = placeOf({ name: worker, uid, node: seen?.node ?? before }, situation);
      return { ...place, id: `pod-${uid}`, grade, ...lossOf(worker, seen) };
    });
  return [...ofPods, ...gone, ...lostPlaces(situation)];
}

/** Places of a job with `recovery: Restart` whose Pod was lost after the start. A Pod that has exited with 0 needs no other. */
function lostPlaces(situation: Situation): readonly NewFault[] {
  if (isInPlace(situation) || !hasBegun(situation)) return [];
  const current = currentIn(situation);
  const own = ofThisStart(situation);
  const places = Array.from({ length: placesIn(situation) }, (_, index) => index);
  const empty = places.filter((index) => !current.some((one) => one.index === index));
  return empty.flatMap((index): readonly NewFault[] => {
    const last = own.findLast((one) => one.index === index);
    if (last?.phase === 'Succeeded') return [];
    const grade = 'Job' as const;
    return last
      ? [{ ...placeOf(last, situation), grade, id: `pod-${last.uid}`, ...lossOf(last.name, last) }]
      : [
          {
            ...{ kind: 'PodLost', grade },
            id: `lost-${situation.memory.incarnation}-${index}`,
            message: `the Pod of worker ${index} was deleted`,
          },
        ];
  });
}

/** The kind of the fault of a Pod that was evicted. It counts towards no limit: the Pod and its node are well. */
export const evicted = 'PodEvicted';

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
function processFaults(situation: Situation): readonly NewFault[] {
  if (!situation.report) return [];
  return [
    ...launcherFaults(situation),
    ...lossFaults(situation),
    ...stalls(situation),
    ...earlyEnds(situation),
    ...lateStart(situation),
    ...stragglerFaults(situation),
  ];
}

function launcherFaults(situation: Situation): readonly NewFault[] {
  const { report } = situation;
  const current = currentIn(situation);
  return (report?.faults ?? []).flatMap((said): readonly NewFault[] => {
    const { id, uid, kind, grade } = said;
    const worker = current.find((one) => one.uid === uid);
    // A restart that was ordered follows from a fault that counts already.
    if (!worker || kind === 'ordered') return [];
    const place = placeOf(worker, situation);
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
function lossFaults(situation: Situation): readonly NewFault[] {
  if (situation.spec.health.nonFiniteLoss === 'Ignore') return [];
  const generation = generationIn(situation);
  const first = memberRanks(situation)
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
function idleEnds(situation: Situation): readonly NewFault[] {
  if (!isInPlace(situation) || isFinishing(situation)) return [];
  const members = membersIn(situation);
  return currentIn(situation)
    .filter(({ uid, phase }) => phase === 'Succeeded' && !members.some((member) => member.uid === uid))
    .filter((worker) => hasSettled(worker, situation))
    .map((worker) => {
      const message = `Pod ${worker.name} has ended with exit code 0 before it had a rank`;
      return { ...placeOf(worker, situation), id: `pod-${worker.uid}`, kind: 'EndedEarly', grade: 'Pod', message };
    });
}

/** Answers of the coordinator cannot be from before the end of the Pod any more. */
const hasSettled = ({ ended }: Worker, { now }: Situation) =>
  ended === undefined || now - Date.parse(ended) >= settledAfter;

/** Members that have exited with 0 while others still need them. At the end of training, no rank loses another. */
function earlyEnds(situation: Situation): readonly NewFault[] {
  const { spec } = situation;
  const ranks = memberRanks(situation);
  const isLost = ranks.some(({ state, behind }) => state === 'waiting' && !behind);
  const isAwaited = ranks.some(({ state, behind }) => state === 'joining' && !behind);
  // The kubelet tells of an end after seconds: the next generation can have begun with a member that never enters it.
  const isMissing = (uid: string) => isAwaited && ranks.some((rank) => rank.uid === uid && rank.behind);
  const isSilent = (uid: string) =>
    ranks.some((rank) => rank.uid === uid && !isPastSteps(rank) && rank.age >= secondsOf(spec.health.stalledAfter)) &&
    ranks.some((rank) => rank.uid !== uid && !isPastSteps(rank));
  const members = membersIn(situation);
  const exited = currentIn(situation).filter(
    ({ uid, phase }) => phase === 'Succeeded' && members.some((member) => member.uid === uid),
  );
  // If nobody is left, this is the end: what the others said is from before.
  if (exited.length === members.length) return [];
  return exited
    .filter((worker) => hasSettled(worker, situation))
    .filter(({ uid }) => isLost || isMissing(uid) || isSilent(uid))
    .map((worker) => {
      const message = `Pod ${worker.name} has ended with exit code 0 while other ranks train`;
      return { ...placeOf(worker, situation), id: `pod-${worker.uid}`, kind: 'EndedEarly', grade: 'Pod', message };
    });
}
