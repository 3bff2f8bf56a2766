import type { AlgorithmSpecScaling, AlgorithmStatusScaling } from '../../../../imports/index.js';

/** Milliseconds after a raise before the next one, so that the new Pods can take effect. */
const helpedAfter = 30_000;
/** Milliseconds after the last change before the minimum number of replicas is lowered by one step. */
const calmAfter = 120_000;
/** Share of the target up to which the minimum is lowered. Between it and the target nothing changes, to avoid flapping. */
const calmBelow = 0.7;
/** Maximum factor of one raise. */
const steepest = 2;

/** The load at one time. */
export interface Load {
  /** The percentile of the last minute, in milliseconds; undefined for too few requests. */
  readonly latencyMs: number | undefined;
  /** Desired number of replicas now. */
  readonly replicas: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The minimum number of replicas for the autoscaler. If there is an autoscaler, the operator never writes `replicas`;
 * it changes only this minimum.
 *
 * @param floor the current minimum and the time of its last change; undefined while that of the spec applies
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
