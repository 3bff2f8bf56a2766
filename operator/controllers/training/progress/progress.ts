import { timestampOf } from '../../../runtime/index.js';
import { enough, type Goodput } from './goodput.js';

/** How fast a job trains, as the status has it. */
export interface Progress {
  readonly stepsPerSecond?: number;
  /** RFC 3339. */
  readonly estimatedCompletion?: string;
}

/**
 * The speed over all kept steps, and when the rest is done at that speed. Both follow from the last count alone, so they do
 * not change while no step is done.
 * @param total steps in all, if the program states them
 */
export function progressOf(goodput: Goodput | undefined, total: number | undefined): Progress {
  if (!goodput || goodput.seconds.kept < enough) return {};
  const { step, maxStep, startStep = maxStep, seconds, activity, updateTime } = goodput;
  const speed = (maxStep - startStep) / seconds.kept;
  if (speed <= 0) return {};
  const stepsPerSecond = Number(speed.toPrecision(4));
  if (total === undefined || activity !== 'Training' || step >= total) return { stepsPerSecond };
  const due = Date.parse(updateTime) + (1_000 * (total - step)) / speed;
  // A job of a million years is as good as one without an end.
  return due > latest ? { stepsPerSecond } : { stepsPerSecond, estimatedCompletion: timestampOf(due) };
}

/** The last year that RFC 3339 can write. */
const latest = Date.parse('9999-12-31T23:59:59Z');
