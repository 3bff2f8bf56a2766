import { describe, it } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, kafkaUserSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaCluster } from '../../../../operator/controllers/kafka/cluster/index.js';
import { kafkaTopic } from '../../../../operator/controllers/kafka/topic/index.js';
import { kafkaUser } from '../../../../operator/controllers/kafka/user/index.js';
import { draw } from '../../../../operator/passwords/draw.js';
import { type ContractCheck, controllerContract, fakeSource, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { clusterModel, consumersModel, hooksModel, topicModel, userModel } from './kafka-models.js';

const apiVersion = 'reconstruct.dev/v1alpha1';
const namespace = 'shop';
const least = { brokers: { storage: { size: '1Gi' } } };
/** The brokers are never ready without kubelets, so nothing is asked of them. */
const needsCalls = ({ name }: ContractCheck) => name.startsWith('sends no further call');

/** A cluster whose brokers run. */
const running = {
  ...{ apiVersion, kind: 'KafkaCluster', metadata: { name: 'events', namespace } },
  spec: withDefaults(kafkaClusterSpec, least),
  status: {
    nodes: [0, 1, 2].map((id) => ({ name: `events-broker-${id}`, id, role: 'Broker', state: 'Running' })),
  },
};
const certificate = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'events-nodes-tls', namespace } },
  data: Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt'].map((key) => [key, Buffer.from(key).toString('base64')])),
};

describe('the controller of KafkaClusters', () => {
  const spec = (input: object) => withDefaults(kafkaClusterSpec, { ...least, deletionPolicy: 'Delete', ...input });
  const resource = { apiVersion, kind: 'KafkaCluster', metadata: { name: 'events', namespace }, spec: spec({}) };
  // Other edits replace Pods, which needs brokers that answer.
  const edited = spec({ brokers: { ...least.brokers, replicas: 4 }, config: { 'num.io.threads': '4' } });
  const given = { resource, edited, reads: [certificate], ports: [clusterModel(), consumersModel(), hooksModel()] };
  for (const check of controllerContract(kafkaCluster, given)) if (!needsCalls(check)) it(check.name, check.holds);
  for (const { name, holds } of simulation(kafkaCluster, given, { seeds: seeds(2, 4) })) it(name, holds, 120_000);

  describe('whose brokers are its controllers', () => {
    const combined = (input: object) => spec({ controllers: { combined: true }, ...input });
    const changes = { pools: [{ name: 'large', replicas: 1, ...least.brokers }], config: { 'num.io.threads': '4' } };
    const combinedGiven = { ...given, resource: { ...resource, spec: combined({}) }, edited: combined(changes) };
    for (const check of controllerContract(kafkaCluster, combinedGiven))
      if (!needsCalls(check)) it(check.name, check.holds);
    for (const { name, holds } of simulation(kafkaCluster, combinedGiven, { seeds: seeds(2, 4) }))
      it(name, holds, 120_000);
  });
});

describe('the controller of KafkaTopics', () => {
  // The contract loses what is outside, and expects it back.
  const spec = (input: object) =>
    withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, onLoss: 'Recreate', ...input });
  const resource = { apiVersion, kind: 'KafkaTopic', metadata: { name: 'orders', namespace } };
  const given = {
    resource: { ...resource, spec: spec({ deletionPolicy: 'Delete' }) },
    edited: spec({ deletionPolicy: 'Delete', partitions: 6, config: { 'retention.ms': '5' } }),
    ...{ reads: [running], ports: [topicModel()] },
  };
  for (const { name, holds } of controllerContract(kafkaTopic, given)) it(name, holds);
  for (const { name, holds } of simulation(kafkaTopic, given, { seeds: seeds(4, 10) })) it(name, holds, 120_000);
});

describe('the controller of KafkaUsers', () => {
  const acl = { resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write'] };
  const spec = (input: object) =>
    withDefaults(kafkaUserSpec, { cluster: { name: 'events' }, acls: [acl], ...input } as never);
  const drawn = fakeSource(draw, ({ keys, replaces }) =>
    Object.fromEntries(keys.map((key) => [key, `${key} of ${replaces}`])),
  );
  const given = {
    resource: { apiVersion, kind: 'KafkaUser', metadata: { name: 'shop', namespace }, spec: spec({}) },
    edited: spec({ acls: [], quotas: { producerByteRate: '1Mi' } }),
    ...{ reads: [running, certificate], answers: [drawn], ports: [userModel()] },
  };
  for (const { name, holds } of controllerContract(kafkaUser, given)) it(name, holds);
  for (const { name, holds } of simulation(kafkaUser, given, { seeds: seeds(4, 10) })) it(name, holds, 120_000);

  describe('with certificates', () => {
    const authentication = 'MutualTls';
    const listeners = [{ name: 'internal', port: 9092, authentication }] as never;
    const certified = {
      ...given,
      resource: { ...given.resource, spec: spec({ authentication }) },
      edited: spec({ authentication, secretName: 'other', acls: [], quotas: { producerByteRate: '1Mi' } }),
      ...{ reads: [{ ...running, spec: withDefaults(kafkaClusterSpec, { ...least, listeners }) }], answers: [] },
    };
    for (const { name, holds } of controllerContract(kafkaUser, certified)) it(name, holds);
    for (const { name, holds } of simulation(kafkaUser, certified, { seeds: seeds(2, 4) })) it(name, holds, 120_000);
  });
});
