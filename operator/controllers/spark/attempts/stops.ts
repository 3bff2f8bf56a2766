import { secondsOf } from '../../../../crds/index.js';
import { sparkRevision } from '../../../../src/index.js';
import { truncate } from '../../../runtime/index.js';
import { currentDriver, currentExecutors, isOnLostNode, type Job } from '../job/job.js';
import type { Memory, Stop } from '../job/memory.js';
import { longestMessage } from './attempts.js';
import { lastFailure } from './faults.js';

/** Milliseconds of a duration. */
const lengthOf = (duration: string) => 1_000 * secondsOf(duration);

type Edited = Pick<Job, 'spec' | 'generation' | 'memory' | 'isAccepted'>;

/** Whether the job was edited since its run began, in a field that its driver depends on. */
export function isEdited({ spec, generation, memory, isAccepted = true }: Edited): boolean {
  return isAccepted && memory.run > 0 && generation !== memory.generation && sparkRevision(spec) !== memory.revision;
}

/** Times at which limits of an attempt are reached, in milliseconds since 1970. */
export function limitsOf(memory: Memory, situation: Job) {
  const { spec } = situation;
  const driver = currentDriver(situation);
  const after = (since: number | undefined, duration: string | undefined) =>
    since === undefined || duration === undefined ? undefined : since + lengthOf(duration);
  return {
    deadline: after(memory.startTime, spec.activeDeadline),
    driver: driver && driver.started === undefined ? after(driver.created, spec.startWithin) : undefined,
    executors: after(memory.idleTime, spec.startWithin),
    exit: after(memory.contextEndTime, spec.exitWithin),
  };
}

/** What a job that exceeds its deadline reports. */
export function deadlineText({ activeDeadline }: Job['spec']): string {
  return `The job ran longer than activeDeadline, ${activeDeadline}`;
}

/** Why the driver must be stopped now. Undefined if it may go on. */
export function stopOf(memory: Memory, situation: Job): Stop | undefined {
  const { spec, now } = situation;
  const stop = (reason: Stop['reason'], message: string): Stop => ({
    ...{ reason, time: now },
    message: truncate(message, longestMessage),
  });
  if (spec.suspend) return stop('Suspended', 'The job was suspended');
  if (isEdited(situation)) return stop('Edited', 'The spec was edited');
  const limits = limitsOf(memory, situation);
  const isDue = (at: number | undefined) => at !== undefined && now >= at;
  const isLost = isOnLostNode(currentDriver(situation), situation);
  if (isDue(limits.deadline)) return stop('DeadlineExceeded', deadlineText(spec));
  // A node that does not answer reports nothing: what follows is a matter of its loss.
  if (isLost) return undefined;
  if (isDue(limits.driver)) {
    const why = currentDriver(situation)?.trouble?.message ?? 'the kubelet reports no cause';
    return stop('DriverNotStarted', `The driver did not start within startWithin, ${spec.startWithin}: ${why}`);
  }
  if (isDue(limits.executors))
    return stop('ExecutorsNotStarted', `No executor ran for startWithin, ${spec.startWithin}: ${whyIdle(situation)}`);
  if (isDue(limits.exit)) {
    const end = `The driver did not exit within exitWithin, ${spec.exitWithin}, after it stopped its SparkContext`;
    return stop('DriverDidNotExit', `${end}: its result is not known. Let the program end all of its threads`);
  }
  return undefined;
}

function whyIdle(situation: Job): string {
  const executors = currentExecutors(situation);
  const pending = executors.filter(({ phase }) => phase === 'Pending');
  const [first] = pending;
  if (first) return `Pod ${first.name} is Pending${first.trouble === undefined ? '' : `: ${first.trouble}`}`;
  return executors.length > 0
    ? (lastFailure(situation) ?? `all ${executors.length} executors have ended`)
    : 'the driver has created none; its log has the cause, such as a quota of the namespace';
}
