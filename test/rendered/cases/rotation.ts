import type { Manifest } from '../../../operator/index.js';
import { type RenderedCase, resource, secret } from '../rendered-case.js';

const consumers = [{ deployment: 'shop' }, { daemonSet: 'agent' }];
const postgres = { host: 'db.example.com', database: 'shop', owner: 'shop', adminSecretRef: { name: 'admin' } };
const rotation = (name: string, source: object, more: object = {}) =>
  resource('SecretRotation', name, { secretName: `${name}-login`, source, consumers, overlap: '30s', ...more });
const due = (object: Manifest, at: string): Manifest => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'reconstruct.dev/rotate': at } },
});

/** SecretRotations of each source. */
export const cases = [
  {
    name: 'rotation',
    objects: [
      secret('admin', { username: 'admin', password: 'secret' }),
      resource('Database', 'orders', { storage: { size: '1Gi' }, deletionPolicy: 'Delete' }),
      rotation('postgres', { postgres }),
      rotation('database', { database: { name: 'orders' } }),
      rotation('random', { random: { keys: ['key', 'salt'] } }),
    ],
    edits: {
      'another Secret': [rotation('postgres', { postgres }, { secretName: 'other' })],
      'a rotation now': [due(rotation('random', { random: { keys: ['key', 'salt'] } }), '1')],
    },
  },
  {
    name: 'rotation-kafka',
    objects: [
      resource('KafkaCluster', 'events', { brokers: { storage: { size: '1Gi' } }, deletionPolicy: 'Delete' }),
      resource('KafkaUser', 'shop', { cluster: { name: 'events' }, quotas: { producerByteRate: '1Mi' } }),
      rotation('kafka', { kafkaUser: { name: 'shop' } }),
    ],
    edits: { 'another Secret': [rotation('kafka', { kafkaUser: { name: 'shop' } }, { secretName: 'other' })] },
  },
] satisfies readonly RenderedCase[];
