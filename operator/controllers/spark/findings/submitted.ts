import type { MarkOf } from '../conditions.js';
import { currentDriver, isOnLostNode, type Job } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import { runningDrivers } from '../plan/index.js';
import type { Driver, DriverTrouble } from '../pods/driver.js';

const troubles = {
  Image: 'ImageUnavailable',
  Container: 'ContainerNotCreated',
  Unscheduled: 'Submitting',
} as const satisfies Record<DriverTrouble['is'], string>;

/** Whether the current attempt has a driver, and why not. @param memory after this reconcile */
export function submittedOf(situation: Job, memory: Memory): MarkOf<'Submitted'> {
  if (memory.end) return { reason: 'Completed' };
  const driver = currentDriver({ ...situation, memory });
  const lost = lingering(situation, driver);
  if (lost) return lost;
  if (memory.stopping) return { reason: 'Stopping' };
  if (driver && driver.end === undefined) return ofDriver(driver);
  const others = runningDrivers(situation).filter((one) => one !== driver);
  const [other] = others;
  if (other) return lingering(situation, other) ?? otherMark(other);
  if (memory.attempt === 0)
    return situation.spec.suspend
      ? { reason: 'Suspended' }
      : { reason: 'Submitting', message: 'The spec is not accepted, so no driver starts' };
  if ((memory.nextAttemptTime ?? 0) > situation.now) {
    const last = memory.ended[0]?.pod;
    const message = `Attempt ${memory.attempt} waits until nextAttemptTime; Pod ${last} has the log of the last one`;
    return last === undefined ? { reason: 'BackingOff' } : { reason: 'BackingOff', message };
  }
  const [left] = situation.executors.filter(({ mayRun }) => mayRun);
  if (left)
    return { reason: 'Submitting', message: `Pod ${left.name}, an executor of an earlier attempt, has not ended yet` };
  return { reason: 'Submitting' };
}

function ofDriver(driver: Driver): MarkOf<'Submitted'> {
  if (driver.started !== undefined) return { reason: 'DriverRunning' };
  const { trouble } = driver;
  if (!trouble) return { reason: 'Submitting' };
  return { reason: troubles[trouble.is], message: `Pod ${driver.name} does not start: ${trouble.message}` };
}

function otherMark({ name, isOwn }: Driver): MarkOf<'Submitted'> {
  const whose = isOwn ? 'an earlier attempt' : 'an earlier SparkJob of this name';
  return { reason: 'OtherDriver', message: `Pod ${name} of ${whose} may still run` };
}

/** A driver on a lost node terminates for as long as its node does not answer. */
function lingering(situation: Job, driver: Driver | undefined): MarkOf<'Submitted'> | undefined {
  const isWaiting = driver?.isEnding || driver?.started === undefined;
  if (!driver || driver.end || !isWaiting || !isOnLostNode(driver, situation)) return undefined;
  return {
    reason: 'OtherDriver',
    message: `Pod ${driver.name} may still run on Node ${driver.node}, which does not answer`,
  };
}
