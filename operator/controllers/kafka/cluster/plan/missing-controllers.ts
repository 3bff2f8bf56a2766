import { isKafkaController } from '../../../../../src/index.js';
import { haltStep } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { membersIn, quorumIn, type Situation } from '../situation.js';
import { isDown } from './rollout.js';
import type { Step } from './step.js';

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
