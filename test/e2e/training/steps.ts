/** A step that a rank has done, as the program logs it. */
export interface Step {
  readonly step: number;
  readonly rank: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** NaN if it is not a number. */
  readonly loss: number;
}

/** How training went on after a moment. */
export interface Recovery {
  /** The longest time in which no rank did a step. */
  readonly seconds: number;
  /** The first step of the recovered state. */
  readonly next: number;
  /** Steps that were done twice. */
  readonly lost: number;
}

/** The steps in the logs of all Pods, by time. */
export function stepsIn(log: string): readonly Step[] {
  const lines = log.matchAll(/^STEP (\d+) (\d+) (\d+\.\d+) (\S+)$/gm);
  return [...lines]
    .map(([, step, rank, time, loss]) => ({
      ...{ step: Number(step), rank: Number(rank), time: 1_000 * Number(time), loss: Number(loss) },
    }))
    .toSorted((a, b) => a.time - b.time);
}

/**
 * A step that a rank does twice was lost. Without such a step, training went on where the longest pause was.
 * @param since milliseconds since 1970
 * @throws {Error} if no step was done after it, or none before
 */
export function recoveryIn(steps: readonly Step[], since: number): Recovery {
  const first = steps.findIndex(({ time }) => time > since);
  if (first < 1) throw new Error(`got ${steps.length} steps, and none on both sides of the fault`);
  const gaps = steps.map(({ time }, index) => (index < first ? 0 : time - (steps[index - 1]?.time ?? time)));
  const gap = Math.max(...gaps);
  const repeated = repeatedFrom(first, steps);
  const next = steps[repeated < 0 ? gaps.indexOf(gap) : repeated]?.step ?? 0;
  const done = Math.max(...steps.slice(0, repeated).map(({ step }) => step));
  return { seconds: gap / 1_000, next, lost: repeated < 0 ? 0 : done - next + 1 };
}

/** The mean loss of all ranks in a step, when it was done last. @throws {Error} if no rank did it */
export function lossOf(steps: readonly Step[], step: number): number {
  const ranks = new Map(steps.filter((one) => one.step === step).map(({ rank, loss }) => [rank, loss]));
  if (ranks.size === 0) throw new Error(`no rank did step ${step}: the last one is ${steps.at(-1)?.step}`);
  return [...ranks.values()].reduce((sum, loss) => sum + loss, 0) / ranks.size;
}

/** The place of the first step from a place on that its rank has done before. -1 if there is none. */
function repeatedFrom(first: number, steps: readonly Step[]): number {
  const done = new Map<number, number>();
  return steps.findIndex(({ step, rank }, index) => {
    const last = done.get(rank) ?? 0;
    done.set(rank, step);
    return index >= first && step <= last;
  });
}
