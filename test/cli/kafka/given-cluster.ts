import type { KafkaClusterResource, KafkaTopicResource } from '../../../imports/index.js';
import type { LivePod } from '../../../operator/runtime/kubernetes/kinds.js';
import { condition, good } from '../status/given-conditions.js';

/** A KafkaCluster with its Pods and a KafkaTopic. */
interface GivenKafka {
  readonly kafka: KafkaClusterResource;
  readonly pods: readonly LivePod[];
  readonly topics: readonly KafkaTopicResource[];
}

const metadata = (name: string) => ({ name, namespace: 'shop', generation: 3 });
const ready = { observedGeneration: 3, conditions: good };

const nodes = [
  { name: 'events-controller-1000', id: 1000, role: 'Controller', state: 'Running', zone: 'a', node: 'node-1' },
  { name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running', zone: 'a', node: 'node-1', usedPercent: 40 },
  { name: 'events-broker-1', id: 1, role: 'Broker', state: 'Running', zone: 'b', node: 'node-2' },
];

const pod = (name: string) => ({
  ...{ kind: 'Pod', metadata: { name, namespace: 'shop' }, spec: { containers: [] } },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'kafka', ready: true, restartCount: 2, image: 'kafka' }],
  },
});

/** A KafkaTopic that is ready. @param changes of its status */
export const topic = (name: string, changes: object = {}) => ({
  ...{ metadata: metadata(name), spec: { cluster: { name: 'events' } } },
  status: { ...ready, topicName: name, partitions: 3, replication: 3, underReplicatedPartitions: 0, ...changes },
});

/** A KafkaCluster with a topic, without problems. */
export const healthy = {
  kafka: {
    ...{ metadata: metadata('events'), spec: { version: '4.4', rebalance: { throttle: '50Mi' } } },
    status: {
      ...{ ...ready, ready: '2/2', controllers: '1/1', version: '4.4', metadataVersion: 33, activeController: 1000 },
      ...{ underReplicatedPartitions: 0, nodes },
    },
  },
  pods: nodes.map(({ name }) => pod(name)),
  topics: [topic('orders')],
} as unknown as GivenKafka;

/** The healthy cluster, with another status of the KafkaCluster. */
export function withStatus(status: object): GivenKafka {
  return { ...healthy, kafka: { ...healthy.kafka, status: { ...healthy.kafka.status, ...status } } } as GivenKafka;
}

/** Conditions of a resource that is not ready for one reason. */
export const failing = (type: string, reason: string, message = `${reason} is the reason`) => [
  condition('Ready', 'False', reason, message),
  condition(type, 'False', reason, message),
];
