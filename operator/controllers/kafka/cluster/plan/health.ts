import { isKafkaController } from '../../../../../src/index.js';
import type { ClusterAnswer } from '../../ports/cluster.js';
import type { KafkaNode } from '../nodes/nodes.js';
import type { Situation } from '../situation.js';

/** Why a node does not serve. Undefined if it does, as far as is known. */
export function illnessOf(node: KafkaNode, situation: Situation): string | undefined {
  const { cluster } = situation;
  const { name, role, id, pod, isReady, trouble } = node;
  if (pod !== 'there') return `${name} has no Pod yet`;
  if (isLoading(node, situation)) return `${name} is not ready: it loads its log`;
  if (!isReady) return trouble === undefined ? `${name} is not ready` : `${name} is not ready: ${trouble}`;
  if (!cluster) return undefined;
  if (role === 'broker') {
    const registered = cluster.brokers.find((one) => one.id === id);
    if (!registered || registered.isFenced) return `${name} does not serve yet`;
    if (!isKafkaController(node)) return undefined;
  }
  return isLagging(id, cluster) ? `${name} lags behind the metadata quorum` : undefined;
}

/**
 * True for a broker that has started and does not serve yet: the controllers have fenced it, and it follows their metadata. It
 * loads its log meanwhile, which takes long after it was killed. A restart would begin that anew.
 */
export function isLoading(node: KafkaNode, { cluster }: Pick<Situation, 'cluster'>): boolean {
  const { id, role, pod, isReady, isNodeLost, trouble } = node;
  if (!cluster || role !== 'broker' || pod !== 'there' || isReady || isNodeLost || trouble !== undefined) return false;
  if (!cluster.brokers.some((one) => one.id === id && one.isFenced)) return false;
  const { leader, voters, observers } = cluster.quorum;
  const now = voters.find((voter) => voter.id === leader)?.caughtUpAt;
  const at = [...voters, ...observers].find((member) => member.id === id)?.caughtUpAt;
  return now !== undefined && at !== undefined && now - at <= longestSilence;
}

/** Milliseconds. A process fetches the metadata at least twice a second, unless it has ended. */
const longestSilence = 10_000;

/** Records of the metadata log by which a controller may lag behind: the answer of the quorum is some milliseconds old. */
const lag = 1_000;

function isLagging(id: number, { quorum }: ClusterAnswer): boolean {
  const leader = quorum.voters.find((one) => one.id === quorum.leader);
  const member = [...quorum.voters, ...quorum.observers].find((one) => one.id === id);
  return !leader || !member || leader.logEndOffset - member.logEndOffset > lag;
}
