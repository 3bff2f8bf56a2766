import { faults } from './environment/weather.js';
import type { Run } from './run.js';

/** Maximum number of lines of the shortest history in a report. Earlier lines seldom help. */
const shown = 150;

/** A broken promise of a controller and the runtime. */
export interface Failure {
  /** Seed of the history. The same seed reproduces the failure exactly. */
  readonly seed: number;
  /** The promise as the rest of a sentence that starts with "the operator". */
  readonly promise: string;
  /** A description of the violation, for users. */
  readonly how: string;
  /** All events, one line each. */
  readonly lines: readonly string[];
  /** The full report for users: the promise, the shortest history that breaks it, and how to replay it. */
  readonly report: string;
}

/**
 * @param whole the history of the seed
 * @param shortest the history without acts and faults that the failure does not need
 * @param replay command that replays the seed
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
    `seed ${plan.seed}: broken promise "the operator ${broken?.promise}": ${broken?.how}`,
    `the shortest history has ${acts - skipped.size} of ${acts} acts and the faults: ${needed.join(', ') || 'none'}`,
    ...(left.length < telling.length ? [`(${telling.length - left.length} earlier lines are omitted)`] : []),
    ...left,
    `to replay it: ${replay}`,
  ].join('\n');
}

/** True for lines about leases, bookmarks and successful responses. */
function isRoutine(line: string): boolean {
  return /( Lease | is at \d+$|← .*: done$)/.test(line);
}
