import { describe, expect, test } from 'vitest';
import { least, revisionOf } from './given-cluster.js';

const one = { brokers: { ...least.brokers, replicas: 1 } };
const pools = [{ name: 'large', replicas: 2, storage: { size: '1Ti' } }];
const withPool = (changes: object) => ({ pools: pools.map((pool) => ({ ...pool, ...changes })) });
const configured = (name: string, value = '2') => ({ config: { [name]: value } });

describe('nodes start again', () => {
  test.each([
    ['broker', 'the image', { image: 'registry.example.com/kafka:4.4.0' }],
    ['broker', 'the replicas of new topics in the spec', configured('default.replication.factor')],
    ['controller', 'the replicas of new topics in the spec', configured('default.replication.factor')],
    ['broker', 'the replicas of offsets in the spec', configured('offsets.topic.replication.factor')],
    ['controller', 'the time until a broker is fenced', configured('broker.session.timeout.ms', '4000')],
    ['controller', 'the number of brokers, if new topics get another number of replicas', one],
    ['broker', 'authorization', { authorization: 'None' }],
    ['controller', 'authorization', { authorization: 'None' }],
    ['broker', 'the heap', { jvm: { heap: '700Mi' } }],
    ['broker', 'the rack label', { racks: { topologyKey: 'topology.kubernetes.io/region' } }],
    ['broker', 'the Pod template', { brokers: { ...least.brokers, podTemplate: { labels: { team: 'a' } } } }],
    ['controller', 'the Pod template', { controllers: { podTemplate: { annotations: { team: 'a' } } } }],
    ['controller', 'their resources', { controllers: { resources: { limits: { memory: '2Gi' } } } }],
  ])('a %s after a change of %s', (group, _, given) => {
    expect(revisionOf(group, given)).not.toBe(revisionOf(group));
  });

  test('those of a pool after a change of the pool', () => {
    const changed = withPool({ resources: { limits: { memory: '9Gi' } } });
    expect(revisionOf('large', changed)).not.toBe(revisionOf('large', { pools }));
    expect(revisionOf('broker', changed)).toBe(revisionOf('broker', { pools }));
  });
});

describe('nodes do not start again', () => {
  test.each([
    ['broker', 'the number of brokers', one],
    ['broker', 'the number of brokers', { brokers: { ...least.brokers, replicas: 9 } }],
    [
      'controller',
      'the number of brokers, if new topics get as many replicas',
      { brokers: { ...least.brokers, replicas: 9 } },
    ],
    ['broker', 'a pool', { pools }],
    ['controller', 'a pool', { pools }],
    ['controller', 'the heap of brokers', { jvm: { heap: '700Mi' } }],
    ['controller', 'a dynamic property', configured('log.retention.ms')],
    ['broker', 'the dynamic number of replicas in sync', configured('min.insync.replicas', '3')],
    ['broker', 'the limits of moves', { rebalance: { throttle: '1Mi' } }],
    ['broker', 'the fate of volumes', { deletionPolicy: 'Delete' }],
    ['broker', 'the time until a node is replaced', { replaceAfter: '5m', finalize: { policy: 'Manual' } }],
  ])('a %s after a change of %s', (group, _, given) => {
    expect(revisionOf(group, given)).toBe(revisionOf(group));
  });
});
