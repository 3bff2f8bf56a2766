import type { AlgorithmSpecScaling, AlgorithmStatusScaling } from '../../../../imports/index.js';

/** Milliseconds after a raise until the new pods have had a chance to help. */
const helpedAfter = 30_000;
/** Milliseconds of calm after which the least number of replicas goes down a step. */
const calmAfter = 120_000;
/** The part of the target below which it is calm. Between it and the target nothing is done, so that nothing swings. */
const calmBelow = 0.7;
/** Times as many replicas in one raise, at the most. */
const steepest = 2;

/** What is known of a moment's load. */
export interface Load {
  /** The percentile of the last minute, in milliseconds; undefined of too few requests. */
  readonly latencyMs: number | undefined;
  /** Replicas that there are to be now. */
  readonly replicas: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The least number of replicas that the autoscaler may go down to. The operator never writes `replicas` where there is
 * an autoscaler; it moves what that goes by.
 *
 * @param floor the number so far, and since when; undefined while the spec's own holds
 * @see docs/decisions/0008-latency-moves-the-floor-of-the-autoscaler.md
 */
export function floorAfter(
  floor: AlgorithmStatusScaling | undefined,
  { minReplicas, maxReplicas, targetLatencyMs }: AlgorithmSpecScaling,
  { latencyMs, replicas, now }: Load,
): number {
  const current = within(minReplicas, floor?.minReplicas ?? minReplicas, maxReplicas);
  if (latencyMs === undefined || targetLatencyMs === undefined) return current;
  const age = floor ? now - Date.parse(floor.since) : Number.POSITIVE_INFINITY;
  const excess = latencyMs / targetLatencyMs;
  if (excess > 1 && age >= helpedAfter) {
    return Math.max(current, within(minReplicas, Math.ceil(replicas * Math.min(steepest, excess)), maxReplicas));
  }
  const isCalm = excess <= calmBelow && age >= calmAfter;
  return isCalm ? Math.max(minReplicas, current - Math.ceil(current / 4)) : current;
}

function within(least: number, wanted: number, most: number): number {
  return Math.min(most, Math.max(least, wanted));
}
