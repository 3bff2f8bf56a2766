import { type DriftStandard, driftGap, driftOf } from './drift.js';
import type { Finding, Judgement } from './finding.js';
import { type LatencyStandard, latencyOf, noLatency } from './latency.js';
import type { Sample } from './sample.js';
import { risksOf } from './statistics/risk.js';
import { noRequests, successOf } from './success.js';

/** What a version must be like to be promoted. What is absent is not judged. */
export interface Standards {
  /** The least share of requests, from 0 to 1, that must succeed. */
  readonly success: number;
  readonly latency?: LatencyStandard | undefined;
  readonly drift?: DriftStandard | undefined;
}

/** What the two sides did in the same time. */
export interface Numbers {
  readonly trial: Sample;
  /** What drift is judged against. */
  readonly stable: Sample;
}

/** What can be said of a version, by measure. */
export interface Findings {
  readonly success: Finding;
  /** Absent where it is not judged. */
  readonly latency?: Finding | undefined;
  /** Absent where it is not judged. */
  readonly drift?: Finding | undefined;
}

/** What can be said of a version as a whole. */
export interface Verdict extends Findings {
  readonly verdict: Judgement;
  /** One sentence for people: that of the measure which decides. */
  readonly sentence: string;
}

/** One bad measure makes a version bad, whatever is missing; only if all are good it is good. */
const bySeverity: readonly Judgement[] = ['bad', 'missing', 'undecided', 'good'];

/** Judges a version by what it did. @param look 1 for the first look of the trial, and so on: each costs */
export function verdictOf({ trial, stable }: Numbers, standards: Standards, look: number): Verdict {
  const { latency, drift } = standards;
  const measures = 1 + (latency ? 1 : 0) + (drift ? 1 : 0);
  const risks = risksOf(look, measures);
  const findings: Findings = {
    success: successOf(trial.requests, standards.success, risks),
    latency: latency && latencyOf(trial.latency, latency, risks),
    drift: drift && driftOf({ trial: trial.drift, stable: stable.drift }, drift, risks),
  };
  const [worst = findings.success] = bySeverity.flatMap((verdict) => saying(findings, verdict));
  return { verdict: worst.verdict, sentence: worst.sentence, ...findings };
}

/** What is missing of a measure that is judged, as a sentence. */
export function missingIn({ trial, stable }: Numbers, { latency, drift }: Standards): string | undefined {
  if (!trial.requests) return noRequests;
  if (latency && !trial.latency) return noLatency;
  return drift && driftGap({ trial: trial.drift, stable: stable.drift });
}

function saying({ success, latency, drift }: Findings, verdict: Judgement): readonly Finding[] {
  return [success, latency, drift].filter((one) => one !== undefined).filter((one) => one.verdict === verdict);
}
