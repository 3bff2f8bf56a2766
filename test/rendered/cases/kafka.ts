import { type RenderedCase, resource } from '../rendered-case.js';

const least = { brokers: { storage: { size: '1Gi' } }, deletionPolicy: 'Delete' };
const events = (spec: object = {}) => resource('KafkaCluster', 'events', { ...least, ...spec });
const cluster = { cluster: { name: 'events' } };
const topic = (spec: object = {}) => resource('KafkaTopic', 'orders', { ...cluster, ...spec });
const acl = { resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write'] };
const user = (spec: object = {}) => resource('KafkaUser', 'shop', { ...cluster, acls: [acl], ...spec });
const external = [
  { name: 'internal', port: 9092 },
  { name: 'outside', port: 9094, external: { type: 'NodePort', host: 'kafka.example.com' } },
];
const mutual = [{ name: 'internal', port: 9092, authentication: 'MutualTls' }];

/** KafkaClusters, KafkaTopics and KafkaUsers. */
export const cases = [
  {
    name: 'kafka',
    objects: [events(), topic(), user()],
    edits: {
      configuration: [events({ config: { 'num.io.threads': '4' } }), topic({ config: { 'retention.ms': '5' } })],
      'a static property': [events({ config: { 'queued.max.requests': '700' } })],
      'another broker': [events({ brokers: { ...least.brokers, replicas: 4 } })],
      'other rights': [user({ acls: [], quotas: { producerByteRate: '1Mi' } }), topic({ partitions: 6 })],
      resources: [events({ brokers: { ...least.brokers, resources: { requests: { cpu: '2', memory: '4Gi' } } } })],
      'a larger volume': [events({ brokers: { storage: { size: '2Gi' } } })],
    },
  },
  {
    name: 'kafka-combined',
    objects: [events({ controllers: { combined: true } })],
    edits: {
      'a pool': [
        events({ controllers: { combined: true }, pools: [{ name: 'large', replicas: 1, storage: { size: '2Gi' } }] }),
      ],
    },
  },
  {
    name: 'kafka-listeners',
    objects: [events({ listeners: external })],
    edits: {
      'certificates of clients': [events({ listeners: mutual }), user({ authentication: 'MutualTls' })],
      'a hook': [
        events({
          listeners: mutual,
          hooks: { preRestart: { job: { image: 'hooks:1' } } },
          config: { 'queued.max.requests': '700' },
        }),
      ],
    },
  },
] satisfies readonly RenderedCase[];
