import type { Situation } from '../situation.js';

/** Why the worker does not run yet, or why its previous attempt failed. Undefined if nothing is wrong. */
export function workerMessage({ runs, backup }: Situation, blocker: string | undefined): string | undefined {
  const { attempts = 0, problem } = backup.status ?? {};
  const hindrance = runs.map((run) => run.hindrance).find((why) => why !== undefined) ?? blocker;
  if (hindrance) return `The worker does not run yet: ${hindrance}`;
  if (attempts === 0 || problem === undefined) return undefined;
  return `Attempt ${attempts + 1} is running; the previous attempt failed: ${problem}`;
}

/** A message with a problem at its end. Empty without a problem, so that the default message of the reason applies. */
export function withProblem(what: string, problem: string | undefined): { message?: string } {
  return problem === undefined ? {} : { message: `${what}: ${problem}` };
}
