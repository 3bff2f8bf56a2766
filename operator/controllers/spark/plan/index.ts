import { isEdited, limitsOf } from '../attempts/stops.js';
import { currentDriver, isOnLostNode, type Job } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import type { Driver } from '../pods/driver.js';
import type { Leftover } from '../ports/leftovers.js';
import { leftoversIn } from './leftovers.js';

/** What a SparkJob needs next. */
export interface Plan {
  /** Pods of drivers that stay as they are. Others are deleted. */
  readonly left: readonly Driver[];
  /** Whether the driver of the current attempt is created. */
  readonly creates: boolean;
  /** Whether the objects that all attempts share exist. */
  readonly isShared: boolean;
  /** Executors that are deleted. */
  readonly leftovers: readonly Leftover[];
}

/** Drivers that have ended and stay for their logs. */
const endedKept = 3;
/** Seconds for injected containers to end after the driver has. */
const endWithin = 60;

/** The next step. It follows from what the status has, which was written before. */
export function planOf(situation: Job): Plan {
  const { memory, drivers, now } = situation;
  const leftovers = leftoversIn(situation);
  const own = drivers.filter(({ isOwn }) => isOwn);
  const over = own.filter((one) => one.end !== undefined);
  const kept = over.slice(0, endedKept).filter((one) => one.isPodOver || now < lingersUntil(one));
  if (memory.end) {
    const left = situation.spec.cleanPods === 'All' ? [] : kept;
    return { left, creates: false, isShared: leftovers.length > 0, leftovers };
  }
  const driver = currentDriver(situation);
  const isRunning = driver !== undefined && driver.end === undefined;
  const isToStay = isRunning && memory.stopping === undefined;
  const left = isToStay ? [driver, ...kept.filter((one) => one !== driver)] : kept;
  return { left, creates: mayCreate(situation), isShared: true, leftovers };
}

/** When the containers that were injected beside a driver must have ended, in milliseconds since 1970. */
function lingersUntil({ end, created }: Driver): number {
  return (end?.at ?? created) + 1_000 * endWithin;
}

/**
 * A driver is created once, when no other one can run, and nothing of an earlier one does. An executor on a lost node is not waited
 * for: it ends by itself when it does not reach its driver.
 */
function mayCreate(situation: Job): boolean {
  const { memory, spec, now, executors } = situation;
  const isKnown = memory.driver !== undefined || currentDriver(situation) !== undefined;
  if (memory.attempt === 0 || isKnown || memory.stopping !== undefined) return false;
  if (spec.suspend || isEdited(situation) || now < (memory.nextAttemptTime ?? 0)) return false;
  return (
    runningDrivers(situation).length === 0 && !executors.some((one) => one.mayRun && !isOnLostNode(one, situation))
  );
}

/** Drivers whose programs may run. */
export function runningDrivers({ drivers }: Pick<Job, 'drivers'>): readonly Driver[] {
  return drivers.filter(({ end }) => end === undefined);
}

/** The next time at which something is due, in milliseconds since 1970. Undefined without one. */
export function nextDeadline(situation: Job, memory: Memory): number | undefined {
  const { now } = situation;
  const { deadline, driver, executors, exit } = limitsOf(memory, situation);
  const lingering = situation.drivers.filter(({ isOwn, end: over, isPodOver }) => isOwn && over && !isPodOver);
  const limits = memory.end ? [] : [deadline, driver, executors, exit, memory.nextAttemptTime];
  const times = [...limits.flatMap((time) => time ?? []), ...lingering.map(lingersUntil)];
  const later = times.filter((time) => time > now);
  return later.length === 0 ? undefined : Math.min(...later);
}
