import type { TrainingJobResource } from '../../imports/index.js';
import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';

/** The progress of a job at a time. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly step: number;
  /** Absent if it was not finite, or not reported. */
  readonly loss?: number | undefined;
}

/** Samples that are kept. */
const longest = 600;
/** Milliseconds over which the speed is measured. */
const recent = 60_000;

/** The samples with that of a resource. A state without another step has none. */
export function withSample(
  samples: readonly Sample[],
  { status }: TrainingJobResource,
  time: number,
): readonly Sample[] {
  const { step, loss } = status ?? {};
  if (step === undefined || step === samples.at(-1)?.step) return samples;
  return [...samples, { time, step, loss }].slice(-longest);
}

/** Steps per second in the last minute. Undefined without two samples, or if the job went back. */
export function speedOf(samples: readonly Sample[]): number | undefined {
  const last = samples.at(-1);
  const first = last && samples.find(({ time }) => last.time - time <= recent);
  if (!last || !first || last.time === first.time || last.step <= first.step) return undefined;
  return (1_000 * (last.step - first.step)) / (last.time - first.time);
}

/** The speed, and the time that the remaining steps take, as words. Empty if they are not known. */
export function speedText(samples: readonly Sample[], { status }: TrainingJobResource): string {
  const speed = speedOf(samples);
  if (speed === undefined) return '';
  const { steps, step = 0 } = status ?? {};
  return speedWords(speed, steps === undefined ? undefined : (1_000 * (steps - step)) / speed);
}

/** A speed in steps per second, and the milliseconds that are left if they are known. */
export function speedWords(speed: number, left?: number): string {
  const rate = `${Number(speed.toPrecision(3))} steps/s`;
  return left === undefined ? rate : `${rate}, done in ${lengthOf(left)}`;
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The losses as a line of bars, from the lowest to the highest, as wide as there is room for. */
export function lossCurve(samples: readonly Sample[], width: number): string {
  const losses = samples.flatMap(({ loss }) => loss ?? []);
  const places = Math.max(1, Math.min(width, losses.length));
  const means = Array.from({ length: losses.length === 0 ? 0 : places }, (_, place) => {
    const from = Math.floor((place * losses.length) / places);
    const some = losses.slice(from, Math.max(from + 1, Math.floor(((place + 1) * losses.length) / places)));
    return some.reduce((sum, loss) => sum + loss, 0) / some.length;
  });
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const level = (loss: number) => (high > low ? Math.round(((levels.length - 1) * (loss - low)) / (high - low)) : 0);
  return means.map((loss) => levels[level(loss)]).join('');
}
