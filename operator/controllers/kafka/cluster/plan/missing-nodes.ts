import { isKafkaController } from '../../../../../src/index.js';
import { haltStep, waitStep } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { membersIn, quorumIn, type Situation, stayingIn } from '../situation.js';
import { isDown } from './rollout.js';
import type { Step } from './step.js';

const firstController = 1_000;

/**
 * Creates the nodes that do not exist yet. Only the brokers know which ids are registered, and a new node with such an id would
 * get the replicas of another one with an empty disk. Without any broker, nobody can answer.
 */
export function missing(situation: Situation): Step | undefined {
  const missing = missingIn(situation);
  if (missing.length === 0) return undefined;
  const { isBootstrapped, cluster, nodes } = situation;
  if (isBootstrapped && !cluster && nodes.some(({ role }) => role === 'broker'))
    return waitStep(
      'provision',
      'New nodes are created when the brokers answer, because only they know the IDs that are used',
    );
  const names = missing.map(({ group, id }) => `${group} ${id}`);
  return { act: 'add', concern: 'provision', why: `Creating ${names.join(', ')}` };
}

/** Groups and ids of nodes that do not exist yet. Ids are not reused while an object or a registration has them. */
export function missingIn(situation: Situation): readonly Pick<KafkaNode, 'id' | 'group' | 'role' | 'isCombined'>[] {
  const { groups, cluster, nodes } = situation;
  const staying = stayingIn(situation);
  const registered = [
    ...(cluster?.brokers ?? []).map(({ id }) => id),
    ...[...(cluster?.quorum.voters ?? []), ...(cluster?.quorum.observers ?? [])].map(({ id }) => id),
  ];
  const used = [...nodes.map(({ id }) => id), ...registered];
  const next = {
    broker: 1 + Math.max(-1, ...used.filter((id) => id < firstController)),
    controller: 1 + Math.max(firstController - 1, ...used),
  };
  // The first controllers format their volumes with a list of all of them.
  const isFormed = !situation.isBootstrapped && membersIn(situation).some(isStartedController);
  return groups.flatMap((group) => {
    const { name, role, isCombined, replicas } = group;
    if (isKafkaController(group) && isFormed) return [];
    const present = staying.filter((node) => node.group === name).length;
    const fresh = { group: name, role, ...(isCombined && { isCombined }) };
    return Array.from({ length: Math.max(0, replicas - present) }, () => ({ id: next[role]++, ...fresh }));
  });
}

function isStartedController(node: KafkaNode): boolean {
  return isKafkaController(node) && node.pod !== 'none';
}

/**
 * Starts nothing while no controller of an existing cluster is left: brokers end at once without one, and a new controller has
 * no metadata, so it would be another cluster. Only a person knows whether the volumes come back.
 */
export function missingControllers(situation: Situation): Step | undefined {
  if (!lacksControllers(situation)) return undefined;
  const { clusterId, isRecorded = false, name } = situation;
  const of = clusterId === undefined ? 'the Kafka cluster' : `the Kafka cluster ${clusterId}`;
  const selector = `reconstruct.dev/kafka-cluster=${name ?? 'NAME'}`;
  const begin = isRecorded
    ? `delete the KafkaCluster and the PVCs with the label ${selector}, and create it again`
    : `delete the PVCs with the label ${selector}`;
  return haltStep(
    'controllers',
    `No node starts, because no PVC of a controller of ${of} is left, and they have its metadata; restore the PVCs of the controllers with their labels and annotations, or ${begin}, to begin with an empty cluster and without all records`,
  );
}

/** True for a node without a container that runs, in a cluster without controllers. */
export function isHeldBack(node: KafkaNode, situation: Situation): boolean {
  return lacksControllers(situation) && (node.pod === 'none' || isDown(node, situation));
}

/**
 * True if the volumes alone show an earlier cluster, and no controller of it is left. The status does not record it: without
 * these volumes the KafkaCluster begins anew.
 */
export function isHeadless(situation: Situation): boolean {
  return situation.isRecorded !== true && lacksControllers(situation);
}

/** True if a cluster had controllers, and none has a Pod or a volume. One that answers has some, whatever is observed. */
function lacksControllers(situation: Situation): boolean {
  if (!situation.isBootstrapped || quorumIn(situation)) return false;
  return !membersIn(situation).some(isKafkaController);
}
