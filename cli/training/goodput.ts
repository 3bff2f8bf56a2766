import type { TrainingJobResource, TrainingJobStatusGoodput } from '../../imports/index.js';
import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';
import { speedWords } from './progress.js';

type Seconds = TrainingJobStatusGoodput['seconds'];

const causes: Readonly<Record<TrainingJobStatusGoodput['activity'], keyof Seconds | undefined>> = {
  Training: 'kept',
  Starting: 'starting',
  Recovering: 'recovering',
  Suspended: 'suspended',
  Ended: undefined,
};

/** What the time since the first step went into until now. The status counts only until the last change. */
function secondsUntil({ seconds, updateTime, activity }: TrainingJobStatusGoodput, now: number): Seconds {
  const cause = causes[activity];
  const passed = Math.max(0, Math.round((now - Date.parse(updateTime)) / 1_000));
  return cause === undefined ? seconds : { ...seconds, [cause]: seconds[cause] + passed };
}

/** The share of the time that went into steps that were kept, and what took the rest, the most first. Empty before any. */
export function goodputLine({ status }: TrainingJobResource, now: number): readonly string[] {
  const { goodput } = status ?? {};
  if (!goodput) return [];
  const seconds = secondsUntil(goodput, now);
  const all = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  if (all === 0) return [];
  const lost = Object.entries(seconds)
    .filter(([cause, time]) => cause !== 'kept' && time > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, time]) => `${cause} ${lengthOf(1_000 * time)}`);
  const share = `goodput ${((100 * seconds.kept) / all).toFixed(1)} % of ${lengthOf(1_000 * all)}`;
  return [lost.length === 0 ? share : `${share}; the rest: ${lost.join(', ')}`];
}

/** The speed, and how long the rest takes at it. Empty before it is known. */
export function progressLine({ status }: TrainingJobResource, now: number): readonly string[] {
  const { stepsPerSecond, estimatedCompletion } = status ?? {};
  if (stepsPerSecond === undefined) return [];
  const left = estimatedCompletion === undefined ? undefined : Math.max(0, Date.parse(estimatedCompletion) - now);
  return [speedWords(stepsPerSecond, left)];
}
