import type { TrainingJobResource, TrainingJobStatusFaults } from '../../../../imports/index.js';
import type { Member } from '../ports/coordinator.js';

/** A fault as the status has it. */
export type Fault = TrainingJobStatusFaults;

/** The kind of the fault of a Pod that was evicted. It counts towards no limit: the Pod and its node are well. */
export const evicted = 'PodEvicted';

/** What the operator remembers of a job in its status. Times are in milliseconds since 1970. */
export interface Memory {
  readonly generation: number;
  readonly generationTime?: number | undefined;
  /** Pods of the generation, in the order of the ranks, with the machines on which they were seen. */
  readonly members: readonly (Member & { readonly node?: string | undefined })[];
  /** Step since which a member is slow, by the UID of its Pod. */
  readonly slowSince: Readonly<Record<string, number>>;
  readonly incarnation: number;
  readonly partial: number;
  readonly full: number;
  readonly total: number;
  readonly windowStart?: number | undefined;
  /** Faults of the loss in the window. @default 0 */
  readonly spikes?: number | undefined;
  /** When the next restart may begin. Absent if it need not wait. */
  readonly backoffUntil?: number | undefined;
  /** The newest first. */
  readonly faults: readonly Fault[];
  /** Faults by kind. @default {} */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly openedTime?: number | undefined;
  readonly stoppingTime?: number | undefined;
  /** When the job gave its Pods back, because a ResourceQuota did not allow all of them. Absent a minute later. */
  readonly refusedTime?: number | undefined;
  readonly startTime?: number | undefined;
  /** Namespace and name of the job of a higher priority for which this one trains with `minWorkers`. */
  readonly displacedBy?: string | undefined;
  /** The last generation before it was displaced, as far as it was known. */
  readonly displacedGeneration?: number | undefined;
  readonly end?: End | undefined;
}

/** How a job ended. */
export interface End {
  readonly time: number;
  readonly reason: 'Succeeded' | 'RestartsExhausted' | 'LossNotFinite' | 'DeadlineExceeded';
  readonly message?: string | undefined;
}

/** True for a fault until all ranks train after it. */
export function isOpen({ recoverySeconds }: Fault): boolean {
  return recoverySeconds === undefined;
}

const milliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

/** What the status keeps. */
export function memoryOf({ status = {} as never }: TrainingJobResource): Memory {
  const { restarts, completionTime, phase } = status;
  const ended = milliseconds(completionTime);
  return {
    generation: status.rendezvous ?? 0,
    generationTime: milliseconds(status.rendezvousTime),
    members: (status.ranks ?? []).map(({ pod, uid, node }) => ({ worker: pod, uid, node })),
    slowSince: Object.fromEntries(
      (status.ranks ?? []).flatMap((one) => (one.slowSince === undefined ? [] : [[one.uid, one.slowSince]])),
    ),
    incarnation: status.incarnation ?? 0,
    ...{ partial: restarts?.partial ?? 0, full: restarts?.full ?? 0, total: restarts?.total ?? 0 },
    windowStart: milliseconds(restarts?.windowStart),
    ...{ spikes: restarts?.spikes ?? 0, backoffUntil: milliseconds(restarts?.backoffUntil) },
    faults: status.faults ?? [],
    counts: Object.fromEntries((status.faultCounts ?? []).map(({ kind, count }) => [kind, count])),
    openedTime: milliseconds(status.openedTime),
    stoppingTime: milliseconds(status.stoppingTime),
    refusedTime: milliseconds(status.refusedTime),
    startTime: milliseconds(status.startTime),
    displacedBy: status.displacedBy,
    displacedGeneration: status.displacedRendezvous,
    // The conditions keep the reason of a failure.
    end:
      ended === undefined
        ? undefined
        : { time: ended, reason: phase === 'Succeeded' ? 'Succeeded' : 'RestartsExhausted' },
  };
}
