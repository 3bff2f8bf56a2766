import type { KafkaClusterResource } from '../../imports/index.js';
import { byteSize } from '../../operator/runtime/kubernetes/byte-size.js';
import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';

/** Which replicas move: the summary that the operator writes before it begins, and how far it got. */
export function rebalanceView({ spec, status }: KafkaClusterResource): readonly string[] {
  const balanced = status?.conditions?.find(({ type }) => type === 'Balanced');
  const state = balanced ? `Balanced ${balanced.reason}: ${balanced.message}` : 'Balanced: not reported yet';
  const { rebalance } = status ?? {};
  if (!rebalance) return [state, 'No moves are planned.'].map(printable);
  const { partitions, bytes, estimatedSeconds } = rebalance;
  const time = `about ${lengthOf(1000 * estimatedSeconds)} at ${spec.rebalance.throttle} per second and broker`;
  return [state, `Plan: ${partitions} partitions, ${byteSize(bytes)}, ${time}`].map(printable);
}
