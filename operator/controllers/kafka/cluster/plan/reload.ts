import type { KafkaNode } from '../nodes/nodes.js';
import { type Situation, stayingIn } from '../situation.js';
import { illnessOf } from './health.js';
import { isOutdated } from './outdated.js';

/**
 * The node that reads its renewed certificates next. It stops nothing, so it happens beside the steps of a plan. One node at a
 * time, and only while those that have read them serve: a certificate with a fault then reaches one node.
 */
export function reloadIn(situation: Situation): KafkaNode | undefined {
  const { cluster, presented } = situation;
  if (!cluster || !presented) return undefined;
  const staying = stayingIn(situation);
  const isIll = (node: KafkaNode) => presented.current.includes(node.name) && illnessOf(node, situation) !== undefined;
  if (staying.some(isIll)) return undefined;
  return staying.find((node) => presented.stale.includes(node.name) && node.isReady && !isOutdated(node, situation));
}
