import { waitStep } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { isVoter, quorumIn, type Situation, surplusIn } from '../situation.js';
import { hasNoReplicas, leavingIds, moveReplicas } from './drain.js';
import { isDown, obstacleTo } from './rollout.js';
import type { Step } from './step.js';

/**
 * Takes out brokers: their replicas move first, and only when the metadata has none on them the Pods stop. Those that are
 * controllers lose their vote before. Then their registration is removed, and then their volumes are retired.
 */
export function leaving(situation: Situation): Step | undefined {
  const { cluster } = situation;
  const surplus = surplusIn(situation).filter(({ role }) => role === 'broker');
  const ids = leavingIds(situation);
  if (surplus.length === 0 && ids.length === 0) return undefined;
  if (!cluster)
    return waitStep('removal', `no broker is removed, because ${situation.silence ?? 'the brokers do not answer'}`);
  const voting = [...surplus.map(({ id }) => id), ...ids].find(
    (id) => isVoter(id, situation) && hasNoReplicas(id, situation),
  );
  if (voting !== undefined)
    return waitStep('removal', `broker ${voting} has no replicas, and leaves when it has no vote`);
  // One that has stopped leaves before the next one stops, which would wait for it.
  const gone = ids.find((id) => hasNoReplicas(id, situation) && isStopped(id, situation));
  if (gone !== undefined) {
    const isFenced = cluster.brokers.some(({ id, isFenced: is }) => id === gone && is);
    const why = `broker ${gone} is unregistered`;
    if (!isFenced) return waitStep('removal', `${why} when the controllers see that it stopped`);
    return { act: 'call', concern: 'removal', request: { act: 'unregister', broker: gone }, why };
  }
  const unregistered = surplus.find(({ id, pod }) => pod === 'none' && !ids.includes(id));
  if (unregistered && !hasNoReplicas(unregistered.id, situation))
    return waitStep('removal', `${unregistered.name} starts again, because partitions still have replicas on it`);
  if (unregistered)
    return { act: 'retire', concern: 'removal', node: unregistered, why: `${unregistered.name} has left` };
  const drained = nextToStop(
    surplus.filter(({ id }) => hasNoReplicas(id, situation)),
    situation,
  );
  if (drained) {
    const obstacle = obstacleToStop(drained, situation);
    if (obstacle !== undefined) return waitStep('removal', `${drained.name} is not stopped: ${obstacle}`);
    return { act: 'stop', concern: 'removal', node: drained, why: `${drained.name} has no replicas and is stopped` };
  }
  return moveReplicas(ids, situation);
}

function isStopped(id: number, { nodes }: Situation): boolean {
  return nodes.every((node) => node.id !== id || node.role !== 'broker' || node.pod === 'none');
}

/** Stops controllers that have no vote any more, and then retires their volumes. */
export function formerControllers(situation: Situation): Step | undefined {
  const quorum = quorumIn(situation);
  const surplus = surplusIn(situation).filter(({ role }) => role === 'controller');
  const former = surplus.filter(({ id }) => quorum && !isVoter(id, situation));
  // One that has stopped leaves before the next one stops.
  const node = former.find(({ pod }) => pod === 'none') ?? nextToStop(former, situation);
  if (!node) return undefined;
  if (node.pod === 'none') return { act: 'retire', concern: 'quorum', node, why: `${node.name} has left` };
  const obstacle = obstacleToStop(node, situation);
  if (obstacle !== undefined) return waitStep('quorum', `${node.name} has no vote and is not stopped: ${obstacle}`);
  return { act: 'stop', concern: 'quorum', node, why: `${node.name} has no vote and is stopped` };
}
/** One that does not run comes first, because it costs nothing. @param surplus nodes without replicas and votes */
function nextToStop(surplus: readonly KafkaNode[], situation: Situation): KafkaNode | undefined {
  const running = surplus.filter(({ pod }) => pod === 'there');
  return running.find((node) => isDown(node, situation)) ?? running[0];
}

/** Nothing depends on a node without replicas and votes that does not run. Two of them would wait for each other. */
function obstacleToStop(node: KafkaNode, situation: Situation): string | undefined {
  return isDown(node, situation) ? undefined : obstacleTo(node, situation);
}
