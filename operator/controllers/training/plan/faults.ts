import { secondsOf } from '../../../../crds/index.js';
import {
  currentIn,
  type Fault,
  generationIn,
  isInPlace,
  isStopping,
  memberRanks,
  membersIn,
  ranksOf,
  type Situation,
  type Worker,
} from './situation.js';

/** A fault without the time at which it was seen. */
export type NewFault = Omit<Fault, 'time'>;

/** The faults that the memory does not have yet. Each has an identifier that follows from its cause. */
export function newFaults(situation: Situation): readonly NewFault[] {
  const { memory } = situation;
  if (memory.end || isStopping(situation) || memory.stoppingTime !== undefined) return [];
  const known = new Set(memory.faults.map(({ id }) => id));
  const found = [...podFaults(situation), ...(isInPlace(situation) ? processFaults(situation) : [])];
  const distinct = new Map(found.filter(({ id }) => !known.has(id)).map((fault) => [fault.id, fault]));
  return [...distinct.values()];
}

/** Pods that failed, that are gone, or whose machine is lost. */
function podFaults(situation: Situation): readonly NewFault[] {
  const { workers, memory } = situation;
  const grade = isInPlace(situation) ? ('Pod' as const) : ('Job' as const);
  const ofPods = currentIn(situation).flatMap((one) => {
    const cause = causeOf(one);
    return cause ? [{ ...placeOf(one, situation), id: `pod-${one.uid}`, grade, ...cause }] : [];
  });
  const isThere = (uid: string) =>
    workers.some((one) => one.uid === uid && (!one.isEnding || one.phase === 'Succeeded' || one.phase === 'Failed'));
  const gone = memory.members
    .filter(({ uid }) => !isThere(uid))
    .map(({ worker, uid, node: before }) => {
      const node = workers.find((one) => one.uid === uid)?.node ?? before;
      const place = placeOf({ name: worker, uid, node }, situation);
      return { ...place, id: `pod-${uid}`, grade, kind: 'PodLost', message: `Pod ${worker} was deleted` };
    });
  return [...ofPods, ...gone];
}

function causeOf({ name, phase, isNodeLost, node, trouble }: Worker): Pick<NewFault, 'kind' | 'message'> | undefined {
  if (phase === 'Failed') return { kind: 'PodFailed', message: clipped(trouble ?? `Pod ${name} has failed`) };
  if (isNodeLost && phase === 'Running') return { kind: 'NodeLost', message: `node ${node} is not ready` };
  return undefined;
}

/** Limit of a message in the status. */
const clipped = (message: string) => message.slice(0, 512);

function placeOf({ name, uid, node }: Pick<Worker, 'name' | 'uid' | 'node'>, situation: Situation) {
  const place = membersIn(situation).findIndex((member) => member.uid === uid);
  const step = ranksOf({ uid }, situation)[0]?.step;
  return {
    ...{ pod: name, uid },
    ...(node !== undefined && { node }),
    ...(place >= 0 && { rank: place * situation.spec.processesPerWorker }),
    ...(step !== undefined && { step }),
  };
}

/** What launchers and ranks report. */
function processFaults(situation: Situation): readonly NewFault[] {
  if (!situation.report) return [];
  return [
    ...launcherFaults(situation),
    ...lossFaults(situation),
    ...stalls(situation),
    ...earlyEnds(situation),
    ...lateStart(situation),
  ];
}

function launcherFaults(situation: Situation): readonly NewFault[] {
  const { report } = situation;
  const current = currentIn(situation);
  return (report?.faults ?? []).flatMap(({ id, uid, kind, grade, message }): readonly NewFault[] => {
    const worker = current.find((one) => one.uid === uid);
    // A restart that was ordered follows from a fault that counts already.
    if (!worker || kind === 'ordered') return [];
    const place = placeOf(worker, situation);
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

/** A loss that is not finite is the fault of all ranks: gradients are summed. The first report counts. */
function lossFaults(situation: Situation): readonly NewFault[] {
  if (situation.spec.health.nonFiniteLoss === 'Ignore') return [];
  const generation = generationIn(situation);
  const first = memberRanks(situation)
    .filter((rank) => rank.firstNonFinite !== undefined && rank.generation === generation)
    .toSorted((a, b) => (a.firstNonFinite ?? 0) - (b.firstNonFinite ?? 0))[0];
  if (first?.firstNonFinite === undefined) return [];
  const step = first.firstNonFinite;
  const message = `the loss of step ${step} is not finite`;
  return [
    {
      ...{
        id: `loss-${generation}-${step}`,
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

/** Members that are silent, or compute while the others wait for them. If all wait for each other, nobody is to blame. */
export function stalls(situation: Situation): readonly NewFault[] {
  const { spec, report } = situation;
  const limit = secondsOf(spec.health.stalledAfter);
  const generation = generationIn(situation);
  const training = memberRanks(situation).filter((rank) => rank.state === 'training' && rank.generation === generation);
  const isSilent = ({ age }: { readonly age: number }) => age >= limit;
  const isBusy = (rank: (typeof training)[number]) =>
    (rank.phase === 'data' || rank.phase === 'compute') && rank.phaseSeconds >= limit;
  const culprits = training.filter((rank) => isSilent(rank) || isBusy(rank));
  const current = currentIn(situation);
  const found = culprits.flatMap((rank) => {
    const worker = current.find(({ uid }) => uid === rank.uid);
    if (!worker) return [];
    const launcher = report?.launchers.find(({ uid }) => uid === rank.uid);
    const id = `stall-${generation}-${rank.uid}`;
    // It is silent until its launcher has started it again.
    const stalledBefore = situation.memory.faults.some(
      (fault) => fault.uid === rank.uid && fault.kind === 'RankStalled' && fault.id !== id,
    );
    const isLost = !launcher || isSilent(launcher) || stalledBefore;
    const since = isSilent(rank) ? rank.age : rank.phaseSeconds;
    return [
      {
        ...placeOf(worker, situation),
        id: isLost ? `pod-${rank.uid}` : id,
        kind: 'RankStalled',
        grade: isLost ? ('Pod' as const) : ('Process' as const),
        ...(rank.rank !== undefined && { rank: rank.rank }),
        message: `rank ${rank.rank ?? '?'} made no progress for ${since} s, and the limit is ${limit} s`,
      },
    ];
  });
  if (found.length > 0 || training.length === 0) return found;
  const allWait = training.every(({ phase, phaseSeconds }) => phase === 'sync' && phaseSeconds >= limit);
  if (!allWait) return [];
  const message = `all ranks wait for each other since ${limit} s`;
  return [{ id: `deadlock-${generation}`, kind: 'Deadlock', grade: 'Generation', message }];
}

/** Members that have exited with 0 while others still need them. At the end of training, no rank loses another. */
function earlyEnds(situation: Situation): readonly NewFault[] {
  const hasLost = memberRanks(situation).some(({ state, behind }) => state === 'waiting' && !behind);
  if (!hasLost) return [];
  const members = membersIn(situation);
  return currentIn(situation)
    .filter(({ uid, phase }) => phase === 'Succeeded' && members.some((member) => member.uid === uid))
    .map((worker) => {
      const message = `Pod ${worker.name} has ended with exit code 0 while other ranks train`;
      return { ...placeOf(worker, situation), id: `pod-${worker.uid}`, kind: 'EndedEarly', grade: 'Pod', message };
    });
}

/** A generation without a first step in time starts again with new Pods. */
function lateStart(situation: Situation): readonly NewFault[] {
  const { spec, memory, now, report } = situation;
  const { generationTime } = memory;
  if (generationTime === undefined || !report || report.generation !== memory.generation) return [];
  if (now - generationTime < 1_000 * secondsOf(spec.health.startWithin)) return [];
  const late = memberRanks(situation).find(({ state }) => state === 'joining' || state === 'ready');
  if (!late) return [];
  const message = `${late.worker} has not joined generation ${memory.generation} within ${spec.health.startWithin}`;
  return [{ id: `start-${memory.generation}`, kind: 'StartTimeout', grade: 'Job', pod: late.worker, message }];
}
