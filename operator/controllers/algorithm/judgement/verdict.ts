import { type DriftStandard, driftGap, driftOf } from './drift.js';
import type { Finding, Judgement } from './finding.js';
import { type LatencyStandard, latencyOf, noLatency } from './latency.js';
import type { Sample } from './sample.js';
import { risksOf } from './statistics/risk.js';
import { noRequests, successOf } from './success.js';

/** The standards that a version must meet to be promoted. An absent standard is not analyzed. */
export interface Standards {
  /** Minimum share of requests that must succeed, from 0 to 1. */
  readonly success: number;
  readonly latency?: LatencyStandard | undefined;
  readonly drift?: DriftStandard | undefined;
}

/** The metrics of both sides over the same time. */
export interface Numbers {
  readonly trial: Sample;
  /** The reference for drift. */
  readonly stable: Sample;
}

/** The findings on a version, by measure. */
export interface Findings {
  readonly success: Finding;
  /** Absent if it is not analyzed. */
  readonly latency?: Finding | undefined;
  /** Absent if it is not analyzed. */
  readonly drift?: Finding | undefined;
}

/** The verdict on a version as a whole. */
export interface Verdict extends Findings {
  readonly verdict: Judgement;
  /** Sentence of the measure that decides, for users. */
  readonly sentence: string;
}

/** One bad measure makes a version bad, even if others are missing. A version is good only if all measures are. */
const bySeverity: readonly Judgement[] = ['bad', 'missing', 'undecided', 'good'];

/** Analyzes the metrics of a version. @param look 1 for the first look of the trial, and so on: each spends risk */
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

/** A sentence that names the missing data of a required measure; undefined if nothing is missing. */
export function missingIn({ trial, stable }: Numbers, { latency, drift }: Standards): string | undefined {
  if (!trial.requests) return noRequests;
  if (latency && !trial.latency) return noLatency;
  return drift && driftGap({ trial: trial.drift, stable: stable.drift });
}

function saying({ success, latency, drift }: Findings, verdict: Judgement): readonly Finding[] {
  return [success, latency, drift].filter((one) => one !== undefined).filter((one) => one.verdict === verdict);
}
