import type { ApplicationReport } from '../ports/launchers.js';
import type { Candidate } from './candidate.js';

/** A candidate whose application reports where its data ends. */
export type WithData = Candidate & { readonly report: NonNullable<Candidate['report']> };

/** Whether a launcher reports. */
export function isHeard(candidate: Candidate): candidate is WithData {
  return candidate.report !== undefined;
}

/**
 * Whether data belongs to a replication history: it has the same ID, or it left that history and has written nothing of its
 * own since. Offsets of different histories say nothing about each other.
 */
export function isInHistory(application: ApplicationReport, history: string): boolean {
  const { replicationId, secondReplicationId, offset = 0, secondOffset = offset } = application;
  return replicationId === history || (secondReplicationId === history && offset <= secondOffset);
}

/** Whether an application went on from a history and has written since, as the leader that followed does. */
export function isSuccessor(application: ApplicationReport, history: string): boolean {
  return application.secondReplicationId === history && !isInHistory(application, history);
}

/** Whether a candidate has a complete copy of a history, and tells how far. */
export function isCopyOf(candidate: Candidate, history: string): candidate is WithData {
  const application = candidate.report?.application;
  if (!application?.isRunning || !application.isComplete || application.offset === undefined) return false;
  return isInHistory(application, history) || isSuccessor(application, history);
}

/** How far the data of a candidate goes. */
export function offsetOf({ report }: Candidate): number {
  return report?.application.offset ?? -1;
}
