import { currentIn, isInPlace, type ObservedJob } from '../job/job.js';
import type { Fault } from '../job/memory.js';
import { generationIn, membersIn } from '../job/ranks.js';
import type { LogAnswer, LogFinding } from '../ports/logs.js';
import { type NewFault, placeOf } from './new-fault.js';

/** A job, and what rules over its logs have found. */
export interface LoggedJob extends ObservedJob {
  /** Absent without rules, and while it is not known. */
  readonly logs?: LogAnswer | undefined;
}

/**
 * The fault that rules over the logs have found. The first finding counts: the others of a generation follow from it, for
 * example because all ranks lose the one that failed.
 */
export function logFaults(job: LoggedJob): readonly NewFault[] {
  const { logs } = job;
  const generation = generationIn(job);
  if (!logs || logs.generation !== generation || isRepairing(job)) return [];
  const current = currentIn(job);
  const [first] = logs.findings.filter(({ pod }) => pod === undefined || current.some(({ uid }) => uid === pod.uid));
  if (!first) return [];
  const worker = current.find(({ uid }) => uid === first.pod?.uid);
  const fault = {
    ...{ kind: first.kind, grade: gradeOf(first, job), message: first.message.slice(0, 512) },
    ...latencyOf(first, job),
  };
  return [
    worker ? { ...placeOf(worker, job), id: `pod-${worker.uid}`, ...fault } : { id: logFaultOf(generation), ...fault },
  ];
}

/** When a silence began that is a fault is a matter of the rule. */
function latencyOf({ kind, at }: LogFinding, { now }: LoggedJob): Pick<NewFault, 'detectionSeconds'> {
  return kind === 'LogHanging' ? {} : { detectionSeconds: Math.max(0, Math.round((now - at) / 1_000)) };
}

/** The identifier of the fault of a generation whose culprit is not known. */
export const logFaultOf = (generation: number) => `logs-${generation}`;

/** Without a culprit, the processes form a new group. */
function gradeOf({ pod }: LogFinding, job: LoggedJob): NewFault['grade'] {
  if (!isInPlace(job)) return 'Job';
  return pod ? 'Pod' : 'Generation';
}

/**
 * True while the generation still has the member that such a fault has named, or has had one without a culprit. Ranks that
 * wait for a rollback write nothing.
 */
function isRepairing(job: LoggedJob): boolean {
  const members = membersIn(job);
  const generation = generationIn(job);
  const isOfLoss = ({ kind, rendezvous }: Fault) => kind === 'NonFiniteLoss' && rendezvous === generation;
  return job.memory.faults.some(
    (fault) =>
      fault.id === logFaultOf(generation) ||
      isOfLoss(fault) ||
      (isOfLogs(fault) && members.some(({ uid }) => uid === fault.uid)),
  );
}

function isOfLogs({ kind }: { readonly kind: string }): boolean {
  return kind === 'LogHanging' || kind === 'LogSlow' || kind === 'LogFault';
}
