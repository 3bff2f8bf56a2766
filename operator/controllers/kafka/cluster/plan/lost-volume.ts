import { retireLost } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { membersIn, type Situation } from '../situation.js';
import { illnessOf } from './health.js';
import { onNode, type Step } from './step.js';

/**
 * Gives up a node whose machine was deleted: its volume is retired, and a new node with another id takes its place. The
 * machine may return meanwhile, so this waits. A controller of the same machine is no obstacle, or both would wait for each
 * other: it is replaced next.
 */
export function lost(situation: Situation): Step | undefined {
  const node = membersIn(situation).find(({ isNodeGone, isReady }) => isNodeGone && !isReady);
  if (!node) return undefined;
  const step = retireLost({
    ...{ member: node, concern: 'lost', obstacle: obstacleToRetire(node, situation) },
    found: `The volume of ${node.name} is on a node that no longer exists`,
    patience: situation.replaceAfter,
    prospect: 'it is replaced unless it returns within spec.replaceAfter',
    now: situation.now,
  });
  return onNode(step);
}

/** Why a lost node must not be given up now, as the end of a sentence. */
function obstacleToRetire(node: KafkaNode, situation: Situation): string | undefined {
  const { cluster } = situation;
  if (!cluster) return '; the replacement waits until the brokers answer';
  if (cluster.brokers.some(({ id, isFenced }) => id === node.id && !isFenced))
    return ', but the controllers still see it';
  // Others that are lost too do not come back. While every partition has a leader, no data is on lost brokers alone.
  const isLost = (one: KafkaNode) =>
    one.isNodeGone && !one.isReady && (one.role === 'controller' || cluster.partitions.offline === 0);
  const other = membersIn(situation).find(
    (one) => one.name !== node.name && !isLost(one) && illnessOf(one, situation) !== undefined,
  );
  return other && `; the replacement waits, because ${illnessOf(other, situation)}`;
}
