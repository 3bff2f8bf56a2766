import { isCondemned, isInPlace, isStopping } from '../job/job.js';
import { membersIn, ranksOf } from '../job/ranks.js';
import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';
import { kept, type PodStep } from './step.js';

/** Milliseconds for a checkpoint before the Pods go. */
export const stopWithin = 300_000;

/** The Pods of a job that stops stay until its ranks have written a checkpoint. */
export function stop(situation: Situation): PodStep | undefined {
  if (!isStopping(situation)) return undefined;
  return { pods: mayStop(situation) ? [] : kept(situation.workers.filter(({ isEnding }) => !isEnding)) };
}

/** States of a process whose state may not be on the volume yet. One that waits for its peers writes it when it is asked to. */
const unsaved: ReadonlySet<string> = new Set(['joining', 'training', 'finishing', 'waiting']);

/** True if the members have written their checkpoint, cannot, or had enough time. */
function mayStop(situation: Situation): boolean {
  const { report, memory, now, workers } = situation;
  if (!workers.some(({ phase }) => phase === 'Running')) return true;
  // A generation that began a moment ago may not be known yet. The memory that the job stops covers it.
  const since = memory.stoppingTime;
  if (since === undefined) return false;
  // Without that memory, Pods that are deleted would count as lost.
  if (!isInPlace(situation)) return true;
  // A coordinator that does not answer may have begun one, too.
  if (report && membersIn(situation).length === 0) return true;
  if (now - since >= stopWithin) return true;
  if (!report?.isSuspended) return false;
  return membersIn(situation)
    .filter(({ uid }) => workers.some((one) => one.uid === uid && canSave(one, situation)))
    .every((member) => isSaved(member, situation));
}

/** A lost member writes nothing any more, and what it said last still says that it trains. */
function canSave(worker: Worker, { memory }: Situation): boolean {
  return worker.phase === 'Running' && !worker.isEnding && !worker.isNodeLost && !isCondemned(worker, memory);
}

/** A coordinator that was started again may not have heard of the processes yet, nor they of its orders. */
function isSaved(member: Pick<Worker, 'uid'>, situation: Situation): boolean {
  const ranks = ranksOf(member, situation);
  return ranks.length >= situation.spec.processesPerWorker && ranks.every(({ state }) => !unsaved.has(state));
}
