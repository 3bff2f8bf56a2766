import { faults } from './environment/weather.js';
import type { Run } from './run.js';

/** Lines that are shown of the shortest history; what is earlier seldom tells more. */
const shown = 150;

/** A promise that a controller and the runtime did not keep together. */
export interface Failure {
  /** Of the history in which it was broken; the same seed breaks it again, in the same way to the last byte. */
  readonly seed: number;
  /** The rest of a sentence that begins with "the operator". */
  readonly promise: string;
  /** How, for a person. */
  readonly how: string;
  /** All that happened, one line each. */
  readonly lines: readonly string[];
  /** All of it for a person: the promise, the shortest history that breaks it, and how to play it again. */
  readonly report: string;
}

/**
 * @param whole the history of the seed
 * @param shortest what is left of it when all is left out that the failure does not need
 * @param replay how to play the seed again
 */
export function failureOf(whole: Run, shortest: Run, replay: string): Failure | undefined {
  if (!whole.broken) return undefined;
  const { plan, broken, lines } = whole;
  return { seed: plan.seed, ...broken, lines, report: reportOf(shortest, replay) };
}

function reportOf({ plan, acts, broken, lines }: Run, replay: string): string {
  const { skipped = new Set(), without = new Set() } = plan;
  const needed = faults.filter((fault) => !without.has(fault));
  const telling = lines.filter((line) => !isRoutine(line));
  const left = telling.slice(-shown);
  return [
    `seed ${plan.seed}: the operator ${broken?.promise}: ${broken?.how}`,
    `the shortest history of it has ${acts - skipped.size} of ${acts} acts, and of the faults: ${needed.join(', ') || 'none'}`,
    ...(left.length < telling.length ? [`(${telling.length - left.length} earlier lines are left out)`] : []),
    ...left,
    `to play it again: ${replay}`,
  ].join('\n');
}

/** The comings and goings of leases, bookmarks and answers without a failure. */
function isRoutine(line: string): boolean {
  return /( Lease | is at \d+$|← .*: done$)/.test(line);
}
