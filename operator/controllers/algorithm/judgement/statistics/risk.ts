/** How likely a whole trial is to call a version bad that is not, or good that is not. Each of the two, at the most. */
export const trialRisk = 0.05;

/** What one look at the numbers may be wrong with. */
export interface Risks {
  /** To call one of the measures bad that is not. */
  readonly bad: number;
  /** To call one of the measures good that is not. */
  readonly good: number;
}

/**
 * The risk that the nth look of a trial takes. Who looks at numbers again and again sees, sooner or later, what chance
 * puts there: with 5 % a look, a version of exactly the least quality would be taken back in one trial of four. So each
 * look takes a part of a trial's risk that is smaller than the one before, 1/(n·(n+1)): half, a sixth, a twelfth. All of
 * them together never take more than the whole, however many there are and whatever was seen before.
 *
 * Good needs every measure to be good, so that one of them is enough to stop a version that is not. Bad is said when one
 * of them is bad, so they share the risk.
 *
 * @param look 1 for the first of a trial
 * @param measures how many are judged
 * @see docs/decisions/0007-a-trial-spends-its-risk-look-by-look.md
 */
export function risksOf(look: number, measures: number): Risks {
  const risk = trialRisk / (look * (look + 1));
  return { bad: risk / measures, good: risk };
}

/**
 * How many requests the next look takes: half as many again as the last one at the same sample, since nearly the same
 * numbers say nearly the same, and a look costs.
 *
 * @param last requests at the last look at this sample; 0 when there was none
 */
export function nextLookAt(last: number, minRequests: number): number {
  return Math.max(1, minRequests, Math.ceil(last * 1.5));
}
