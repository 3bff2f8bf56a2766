import type { Member, RankReport } from '../ports/coordinator.js';
import type { ObservedJob } from './job.js';

/** The Pods of the current generation, in the order of the ranks. */
export function membersIn({ report, memory }: Pick<ObservedJob, 'report' | 'memory'>): readonly Member[] {
  // A coordinator that was restarted does not know them, and one of a job that was stopped has old ones.
  return report && report.members.length > 0 && report.generation > memory.generation ? report.members : memory.members;
}

/** The number of the current generation, 0 before the first one. */
export function generationIn({ report, memory }: Pick<ObservedJob, 'report' | 'memory'>): number {
  return Math.max(report?.generation ?? 0, memory.generation);
}

/** What the processes of a Pod said. */
export function ranksOf({ uid }: Pick<Member, 'uid'>, { report }: Pick<ObservedJob, 'report'>): readonly RankReport[] {
  return report?.ranks.filter((rank) => rank.uid === uid) ?? [];
}

/** What the members of the current generation said. */
export function memberRanks(job: Pick<ObservedJob, 'report' | 'memory'>): readonly RankReport[] {
  return membersIn(job).flatMap((member) => ranksOf(member, job));
}

/** True for a process that has the state of its generation. One that joins still has that of an earlier one. */
export function isPastJoin({ state }: RankReport): boolean {
  return state === 'training' || state === 'finishing' || state === 'done';
}

/** The steps that a process has done. Undefined for one that has no state yet: it says 0 until it has that of a peer or a file. */
export function stepsDone(rank: RankReport): number | undefined {
  return isPastJoin(rank) || rank.step > 0 ? rank.step : undefined;
}

/** True for a process that has done all steps. */
export function isPastSteps({ state }: RankReport): boolean {
  return state === 'finishing' || state === 'done';
}

/** True if a rank of the current generation has done all steps. It enters no other generation, and its peers are as far. */
export function isFinishing(job: ObservedJob): boolean {
  const succeeded = job.workers.filter(({ phase }) => phase === 'Succeeded');
  const hasSucceeded = membersIn(job).some(({ uid }) => succeeded.some((one) => one.uid === uid));
  return hasSucceeded || memberRanks(job).some(({ state }) => state === 'done');
}
