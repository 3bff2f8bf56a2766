/** Maximum probability that a trial calls a version bad that is not, and maximum probability for good that is not. */
export const trialRisk = 0.05;

/** The error probabilities of one analysis. */
export interface Risks {
  /** Probability of calling one measure bad that is not. */
  readonly bad: number;
  /** Probability of calling one measure good that is not. */
  readonly good: number;
}

/**
 * The risk of the nth analysis ("look") of a trial. Repeated analyses sooner or later find a difference that is only
 * chance: with 5% per look, a version of exactly the minimum quality would be rolled back in one of four trials. So each
 * look spends a smaller part of the trial's risk, 1/(n·(n+1)): half, a sixth, a twelfth. All looks together never spend
 * more than the whole risk, for any number of looks and any earlier results.
 *
 * A version is good only if every measure is good, so each measure may use the whole risk. A version is bad if one
 * measure is bad, so the measures share the risk.
 *
 * @param look 1 for the first look of a trial
 * @param measures the number of measures
 * @see docs/decisions/0007-a-trial-spends-its-risk-look-by-look.md
 */
export function risksOf(look: number, measures: number): Risks {
  const risk = trialRisk / (look * (look + 1));
  return { bad: risk / measures, good: risk };
}

/**
 * The number of requests for the next look: 1.5 times that of the last look at the same sample. Each look spends risk,
 * and nearly the same sample gives nearly the same result.
 *
 * @param last number of requests at the last look at this sample; 0 if there was none
 */
export function nextLookAt(last: number, minRequests: number): number {
  return Math.max(1, minRequests, Math.ceil(last * 1.5));
}
