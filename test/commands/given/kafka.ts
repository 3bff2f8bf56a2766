import { kafkaClusterSpec, withDefaults } from '../../../crds/index.js';
import type { KafkaClusterStatus } from '../../../imports/index.js';
import { conditions as ofKafkaClusters } from '../../../operator/controllers/kafka/cluster/conditions.js';
import { KafkaHookJob, KafkaNodeClaim, KafkaNodePod, KafkaSharedObjects, kafkaImage } from '../../../src/index.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const kafkaStatus: KafkaClusterStatus = {
  ...{ observedGeneration, clusterId: 'given', version: '4.4', finalizationTime: now },
  nodes: [{ id: 0, name: 'events-broker-0', role: 'Broker', state: 'Running', usedPercent: 40 }],
  conditions: allTrue(ofKafkaClusters),
};

const noneInterrupted = { interrupted: [], interruptedPartitions: 0 };

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'KafkaCluster', metadata: { name: 'events' } },
      spec: { brokers: { storage: { size: '1Gi' } } },
      status: kafkaStatus,
    },
  ],
  objects: (chart, namespace) => {
    const hook = { job: { image: 'hooks:1.0.0' } };
    const kafka = withDefaults(kafkaClusterSpec, {
      brokers: { storage: { size: '1Gi' } },
      hooks: { preRestart: hook },
    });
    new KafkaSharedObjects(chart, 'kafka', { ...kafka, name: 'events', namespace });
    const broker = {
      name: 'events',
      namespace,
      clusterId: 'given',
      node: { id: 0, group: 'broker', role: 'broker' },
    } as const;
    new KafkaNodePod(chart, 'broker', { ...broker, spec: kafka, image: kafkaImage(kafka), controllers: [] });
    new KafkaNodeClaim(chart, 'broker-claim', { ...broker, storage: kafka.brokers.storage });
    if (kafka.hooks?.preRestart?.job)
      new KafkaHookJob(chart, 'hook', {
        ...{ name: 'events', namespace, job: kafka.hooks.preRestart.job },
        restart: { id: 'given', hook: 'preRestart', broker: 0, pod: 'events-broker-0', ...noneInterrupted },
      });
  },
} satisfies GivenSystem;
