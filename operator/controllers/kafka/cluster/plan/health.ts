import { isKafkaController } from '../../../../../src/index.js';
import type { ClusterAnswer } from '../../ports/cluster.js';
import type { KafkaNode } from '../nodes/nodes.js';
import type { Situation } from '../situation.js';

/** Why a node does not serve. Undefined if it does, as far as is known. */
export function illnessOf(node: KafkaNode, { cluster }: Situation): string | undefined {
  const { name, role, id, pod, isReady, trouble } = node;
  if (pod !== 'there') return `${name} has no Pod yet`;
  if (!isReady) return trouble === undefined ? `${name} is not ready` : `${name} is not ready: ${trouble}`;
  if (!cluster) return undefined;
  if (role === 'broker') {
    const registered = cluster.brokers.find((one) => one.id === id);
    if (!registered || registered.isFenced) return `${name} does not serve yet`;
    if (!isKafkaController(node)) return undefined;
  }
  return isLagging(id, cluster) ? `${name} lags behind the metadata quorum` : undefined;
}

/** Records of the metadata log by which a controller may lag behind: the answer of the quorum is some milliseconds old. */
const lag = 1_000;

function isLagging(id: number, { quorum }: ClusterAnswer): boolean {
  const leader = quorum.voters.find((one) => one.id === quorum.leader);
  const member = [...quorum.voters, ...quorum.observers].find((one) => one.id === id);
  return !leader || !member || leader.logEndOffset - member.logEndOffset > lag;
}
