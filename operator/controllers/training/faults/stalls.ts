import { secondsOf } from '../../../../crds/index.js';
import { currentIn, type ObservedJob } from '../job/job.js';
import { generationIn, isPastJoin, memberRanks, membersIn, ranksOf } from '../job/ranks.js';
import type { RankReport } from '../ports/coordinator.js';
import type { Worker } from '../workers/worker.js';
import { type NewFault, placeOf } from './new-fault.js';

/** States of a process that is to enter a generation, or trains in one. One that starts has no heartbeat yet. */
const awaited: ReadonlySet<string> = new Set(['ready', 'waiting', 'joining', 'training', 'suspended']);

/** Processes that are silent, or compute while the others wait for them. If all wait for each other, nobody is to blame. */
export function stalls(job: ObservedJob): readonly NewFault[] {
  const { spec } = job;
  const limit = secondsOf(spec.health.stalledAfter);
  const generation = generationIn(job);
  // A Pod that has exited with 0 is silent, and not stalled.
  const running = currentIn(job).filter(({ phase }) => phase !== 'Succeeded');
  const ranks = running.flatMap((one) => ranksOf(one, job));
  const training = memberRanks(job).filter((rank) => rank.state === 'training' && rank.generation === generation);
  const isSilent = ({ age }: { readonly age: number }) => age >= limit;
  // Also in an earlier generation: such a rank does not enter the next one, and its peers wait for it.
  const isBusy = ({ state, phase, phaseSeconds }: RankReport) =>
    state === 'training' && (phase === 'data' || phase === 'compute') && phaseSeconds >= limit;
  const isCulprit = (rank: RankReport) => (awaited.has(rank.state) && isSilent(rank)) || isBusy(rank);
  const culprits = [...ranks.filter(isCulprit), ...unheardMembers(job)];
  if (culprits.length > 0 || training.length === 0) return culprits.flatMap((rank) => stallOf(rank, job, limit));
  const isWhole = training.length === membersIn(job).length * spec.processesPerWorker;
  const allWait = training.every(({ phase, phaseSeconds }) => phase === 'sync' && phaseSeconds >= limit);
  if (!isWhole || !allWait) return [];
  const message = `all ranks wait for each other since ${limit} s`;
  return [{ id: `deadlock-${generation}`, kind: 'Deadlock', grade: 'Generation', message }];
}

/**
 * Members of which a coordinator that was started again has heard nothing, although all others wait for them: they hang since
 * before. A process that starts is silent until it has loaded the module, so one whose launcher is heard has more time.
 */
function unheardMembers(job: ObservedJob): readonly RankReport[] {
  const { spec, report } = job;
  const heard = memberRanks(job);
  const waits = ({ state, phase, behind }: RankReport) =>
    !behind && (state === 'waiting' || (state === 'training' && phase === 'sync'));
  if (heard.length === 0 || !heard.every(waits)) return [];
  const age = Math.min(...heard.map(({ phaseSeconds }) => phaseSeconds));
  const { stalledAfter, startWithin } = spec.health;
  const limitOf = (uid: string) =>
    secondsOf(report?.launchers.some((one) => one.uid === uid) ? startWithin : stalledAfter);
  const running = currentIn(job).filter(({ phase }) => phase === 'Running');
  const generation = generationIn(job);
  return membersIn(job).flatMap(({ worker, uid }, place): readonly RankReport[] => {
    const isThere = running.some((one) => one.uid === uid) && ranksOf({ uid }, job).length === 0;
    if (!isThere || age < limitOf(uid)) return [];
    const rank = place * spec.processesPerWorker;
    return [
      { worker, uid, local: 0, rank, generation, behind: false, state: 'training', step: 0, phaseSeconds: 0, age },
    ];
  });
}

/** The process is started again by its launcher. If that has no effect, or was of no use before, its Pod is replaced. */
function stallOf(rank: RankReport, job: ObservedJob, limit: number): readonly NewFault[] {
  const { report, memory, now } = job;
  const worker = currentIn(job).find(({ uid }) => uid === rank.uid);
  if (!worker) return [];
  const since = rank.age >= limit ? rank.age : rank.phaseSeconds;
  const before = memory.faults.find(({ uid, kind }) => uid === rank.uid && kind === 'RankStalled');
  // Its generation may have changed meanwhile, for example because a spare has its place.
  const isSame = before !== undefined && Date.parse(before.time) >= now - 1_000 * since;
  const launcher = report?.launchers.find(({ uid }) => uid === rank.uid);
  // The process that its launcher has ended is silent until the next one has loaded the module.
  const isRestarting = report?.faults.some(({ uid, kind }) => uid === rank.uid && kind === 'ordered') ?? false;
  const isOrdered = isSame && report?.restarts[rank.worker] === before.id;
  const isUseless = isOrdered && !isRestarting && now - Date.parse(before.time) >= 1_000 * limit;
  const isLost = !launcher || launcher.age >= limit || isUseless || (before !== undefined && !isSame);
  const id = isSame ? before.id : `stall-${generationIn(job)}-${rank.uid}`;
  return [
    {
      ...placeOf(worker, job),
      id: isLost ? `pod-${rank.uid}` : id,
      kind: 'RankStalled',
      grade: isLost ? ('Pod' as const) : ('Process' as const),
      ...(rank.rank !== undefined && { rank: rank.rank }),
      detectionSeconds: since,
      message: `rank ${rank.rank ?? '?'} made no progress for ${since} s, and the limit is ${limit} s`,
    },
  ];
}

/** A generation that has not formed in time. The Pods for which the others wait are replaced, or all if there are none. */
export function lateStart(job: ObservedJob): readonly NewFault[] {
  const { spec, memory, now, report } = job;
  const { generationTime, generation } = memory;
  if (generationTime === undefined || now - generationTime < 1_000 * secondsOf(spec.health.startWithin)) return [];
  const late = memory.members.length === 0 ? silentPods(job) : missingMembers(job);
  if (!late || (report?.generation !== generation && memory.members.length > 0)) return [];
  const within = `within ${spec.health.startWithin}`;
  const kind = 'StartTimeout';
  if (late.missing.length === 0 || late.missing.length === late.of)
    return [{ id: `start-${generation}`, kind, grade: 'Job', message: `no process group has formed ${within}` }];
  return currentIn(job)
    .filter(({ uid }) => late.missing.includes(uid))
    .map((one) => ({
      ...{ ...placeOf(one, job), id: `pod-${one.uid}`, kind, grade: 'Pod' as const },
      message: `${one.name} has not joined generation ${generation} ${within}`,
    }));
}

interface Late {
  /** UIDs of the Pods for which others wait. */
  readonly missing: readonly string[];
  readonly of: number;
}

/** Members that others wait for, which have joined. Undefined if nobody waits, or if the generation has ended already. */
function missingMembers(job: ObservedJob): Late | undefined {
  const { memory, spec } = job;
  const limit = secondsOf(spec.health.startWithin);
  const ranks = memberRanks(job).filter(({ generation }) => generation === memory.generation);
  const joining = ranks.filter(({ state }) => state === 'joining');
  const others = ranks.filter(({ state }) => state !== 'joining');
  // A process that was just started again joins for a moment, and then learns that it cannot.
  const late = joining.filter(({ phaseSeconds }) => phaseSeconds >= limit);
  if (late.length === 0) return undefined;
  const members = membersIn(job).map(({ uid }) => uid);
  const isOf = (of: readonly RankReport[], uid: string) => of.some((rank) => rank.uid === uid);
  if (!others.every(isPastJoin)) return undefined;
  if (others.length > 0) return { missing: members.filter((uid) => isOf(late, uid)), of: members.length };
  // Members join one after the other: one that came last is not to blame.
  const missing = members.filter((uid) => !isOf(joining, uid));
  return missing.length === 0 && late.length < joining.length ? undefined : { missing, of: members.length };
}

/** Pods that run for `startWithin` without a word of their processes, before a generation has members. Undefined if none does. */
function silentPods(job: ObservedJob): Late | undefined {
  const { report, spec, now } = job;
  const limit = 1_000 * secondsOf(spec.health.startWithin);
  const hadTime = ({ started }: Worker) => started === undefined || now - Date.parse(started) >= limit;
  const running = currentIn(job).filter((one) => one.phase === 'Running' && hadTime(one));
  const silent = running.filter((one) => !ranksOf(one, job).some(({ state }) => awaited.has(state)));
  return report && silent.length > 0 ? { missing: silent.map(({ uid }) => uid), of: running.length } : undefined;
}
