import type { KafkaClusterResource } from '../../../../imports/index.js';
import { toTwoDigits } from '../../../members/index.js';
import type { Step } from './plan/index.js';
import type { Situation } from './situation.js';

type PlannedMoves = NonNullable<NonNullable<KafkaClusterResource['status']>['rebalance']>;

/** True for the request that makes replicas move. */
export function startsMoves(step: Step | undefined): boolean {
  return step?.act === 'call' && step.request.act === 'reassign';
}

/**
 * The summary of the moves that the next request begins, or of those that are under way. It stays as it was reported until
 * another number of partitions has to move.
 */
export function plannedMoves(
  { status }: Pick<KafkaClusterResource, 'status'>,
  { cluster, throttle }: Pick<Situation, 'cluster' | 'throttle'>,
  steps: readonly Step[],
): PlannedMoves | undefined {
  const before = status?.rebalance;
  if (!cluster) return before;
  const { moves, partitions } = cluster;
  if (!moves || !steps.some(startsMoves)) return partitions.reassigning > 0 ? before : undefined;
  if (before?.partitions === moves.partitions) return before;
  return {
    partitions: moves.partitions,
    bytes: toTwoDigits(moves.bytes),
    estimatedSeconds: toTwoDigits(Math.ceil(moves.busiest / Math.max(1, throttle))),
  };
}

/** True if the summary has to be in the status before the moves begin. */
export function isUnannounced({ status }: Pick<KafkaClusterResource, 'status'>, steps: readonly Step[]): boolean {
  return steps.some(startsMoves) && status?.rebalance === undefined;
}
