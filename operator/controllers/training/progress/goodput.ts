import type { TrainingJobStatusGoodput } from '../../../../imports/index.js';
import { timestampOf } from '../../../runtime/index.js';

/** What the time since the first step went into, as the status has it. */
export type Goodput = TrainingJobStatusGoodput;
type Cause = keyof Goodput['seconds'];

/** What a job does at a time. */
export interface Doing {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly activity: Goodput['activity'];
  /** Step that all ranks have done. */
  readonly step: number;
  /** A rank has made no progress, and is the reason why the job no longer trains. */
  readonly isStalled?: boolean;
  /** A generation has begun since the last count. @default false */
  readonly hasRegrouped?: boolean;
}

/** Seconds of training before a speed is known: the first steps are slow. */
export const enough = 10;

const none: Goodput['seconds'] = { kept: 0, repeated: 0, stalled: 0, recovering: 0, suspended: 0, starting: 0 };

/**
 * What the time went into, after one more observation. It counts from step to step and from activity to activity, so it does
 * not change while nothing does. Undefined before the first step.
 */
export function goodputAfter(before: Goodput | undefined, doing: Doing): Goodput | undefined {
  const { activity, step, now } = doing;
  if (!before) return activity === 'Training' && step > 0 ? begun(step, now) : undefined;
  if (before.activity !== 'Training')
    return before.activity === activity ? before : counted(before, doing, { [causeOf[before.activity]]: 1 });
  if (step > before.step && (activity === 'Training' || activity === 'Ended'))
    return counted(before, doing, sharesOf(before, doing));
  if (activity === 'Training') return step === before.step ? before : counted(before, doing, { recovering: 1 });
  return counted(before, doing, { [causeOfPause(doing)]: 1 });
}

function begun(step: number, now: number): Goodput {
  const time = timestampOf(now);
  return {
    ratio: 1,
    startTime: time,
    updateTime: time,
    activity: 'Training',
    step,
    startStep: step,
    maxStep: step,
    seconds: none,
  };
}

const causeOf: Readonly<Record<Goodput['activity'], Cause>> = {
  Training: 'kept',
  Starting: 'starting',
  Recovering: 'recovering',
  Suspended: 'suspended',
  Ended: 'kept',
};

/** Of steps up to the highest one, the first time counts as kept, and the second one as repeated. */
function sharesOf(before: Goodput, doing: Doing): Partial<Record<Cause, number>> {
  const { step: from, maxStep } = before;
  const { step: to } = doing;
  const repeated = Math.max(0, Math.min(to, maxStep) - from) / (to - from);
  const trained = trainedShare(before, doing);
  const recovering = trained < 1 ? { recovering: 1 - trained } : {};
  return { ...recovering, repeated: trained * repeated, kept: trained * (1 - repeated) };
}

/**
 * The share of the time since the last count in which steps were done. If a generation began unseen, for example while the
 * coordinator did not answer, the steps took as long as those before, and the job recovered for the rest.
 */
function trainedShare({ step, maxStep, startStep, seconds, updateTime }: Goodput, doing: Doing): number {
  const passed = (doing.now - Date.parse(updateTime)) / 1_000;
  const isMeasured = startStep !== undefined && maxStep > startStep && seconds.kept >= enough;
  if (!doing.hasRegrouped || !isMeasured || passed <= 0) return 1;
  const secondsPerStep = seconds.kept / (maxStep - startStep);
  return Math.min(1, ((doing.step - step) * secondsPerStep) / passed);
}

/** What the time since the last step was, of a job that no longer trains. */
function causeOfPause({ activity, isStalled = false }: Doing): Cause {
  if (activity === 'Suspended') return 'suspended';
  if (isStalled) return 'stalled';
  return activity === 'Ended' ? 'kept' : 'recovering';
}

/** @param shares of the time since the last count. The rest of whole seconds belongs to the last of them */
function counted(before: Goodput, { activity, step, now }: Doing, shares: Partial<Record<Cause, number>>): Goodput {
  const updateTime = timestampOf(Math.max(now, Date.parse(before.updateTime)));
  const passed = (Date.parse(updateTime) - Date.parse(before.updateTime)) / 1_000;
  const seconds = { ...before.seconds };
  let left = passed;
  const causes = Object.entries(shares) as [Cause, number][];
  for (const [index, [cause, share]] of causes.entries()) {
    const part = index === causes.length - 1 ? left : Math.round(share * passed);
    seconds[cause] += part;
    left -= part;
  }
  const total = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  return {
    ...{ ratio: total === 0 ? 1 : Number((seconds.kept / total).toFixed(4)), startTime: before.startTime, updateTime },
    ...{ activity, step, maxStep: Math.max(before.maxStep, step), seconds },
    ...(before.startStep !== undefined && { startStep: before.startStep }),
  };
}
