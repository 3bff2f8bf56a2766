import type { KafkaClusterResource } from '../../imports/index.js';
import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Which replicas move: the summary that the operator writes before it begins, and how far it got. */
export function rebalanceView({ spec, status }: KafkaClusterResource): readonly string[] {
  const balanced = status?.conditions?.find(({ type }) => type === 'Balanced');
  const state = balanced ? `Balanced ${balanced.reason}: ${balanced.message}` : 'Balanced: not reported yet';
  const { rebalance } = status ?? {};
  if (!rebalance) return [state, 'No moves are planned.'].map(printable);
  const { partitions, bytes, estimatedSeconds } = rebalance;
  const time = `about ${lengthOf(1000 * estimatedSeconds)} at ${spec.rebalance.throttle} per second and broker`;
  return [state, `Plan: ${partitions} partitions, ${sizeOf(bytes)}, ${time}`].map(printable);
}

/** Bytes in the largest unit that gives at least 1, such as `1.5 GiB`. */
function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
