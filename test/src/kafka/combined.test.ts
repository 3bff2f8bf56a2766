import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  KafkaNodeClaim,
  KafkaNodePod,
  type KafkaNodeRef,
  kafkaGroups,
  kafkaImage,
  kafkaNodeRevision,
  kafkaProblems,
} from '../../../src/index.js';
import { least, type Rendered, revisionOf, sharedObjects, specOf } from './given-cluster.js';

const combined = { controllers: { combined: true } };
const pools = [{ name: 'large', replicas: 1, storage: { size: '1Ti' } }];
const first: KafkaNodeRef = { id: 0, group: 'broker', role: 'broker', isCombined: true };
const ofPool: KafkaNodeRef = { id: 3, group: 'large', role: 'broker' };

function rendered(node: KafkaNodeRef): Rendered {
  const spec = specOf({ ...combined, pools });
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  const firstControllers = [0, 1, 2].map((id) => ({ ...first, id, directoryId: `disk${id}` }));
  new KafkaNodePod(chart, 'pod', {
    ...{ name: 'events', spec, image: kafkaImage(spec), clusterId: 'cluster', node },
    ...{ controllers: firstControllers, firstControllers },
  });
  return chart.toJson()[0];
}

const container = (pod: Rendered) => pod.spec.containers[0];
const variableOf = (pod: Rendered, variable: string) =>
  container(pod).env.find(({ name }: Rendered) => name === variable)?.value;
const hostOf = (id: number) => `events-broker-${id}.events-nodes.shop.svc`;

describe('a KafkaCluster whose brokers are its controllers', () => {
  test('has no group, no budget and no properties of controllers', () => {
    const groups = kafkaGroups(specOf({ ...combined, pools }));
    expect(groups.map(({ name, role, isCombined = false }) => ({ name, role, isCombined }))).toEqual([
      { name: 'broker', role: 'broker', isCombined: true },
      { name: 'large', role: 'broker', isCombined: false },
    ]);
    const objects = sharedObjects(combined);
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
    // One eviction at a time is one voter at a time, too.
    expect(budgets.map(({ metadata, spec }) => [metadata.name, spec.minAvailable])).toEqual([['events-brokers', 2]]);
    expect(Object.keys(objects.find(({ kind }) => kind === 'ConfigMap').data)).toEqual(['broker.properties']);
  });

  test('has brokers with the listeners of both roles, which find the quorum among themselves', () => {
    const pod = rendered(first);
    const ports = Object.fromEntries(
      container(pod).ports.map(({ name, containerPort }: Rendered) => [name, containerPort]),
    );
    expect(ports).toEqual({ controller: 9090, replication: 9091, internal: 9092, metrics: 9404 });
    // Ready is a broker that serves: a controller alone takes no records.
    expect(container(pod).readinessProbe.tcpSocket.port).toBe('replication');
    expect(variableOf(pod, 'KAFKA_NODE_PROPERTIES')).toBe(
      [
        'node.id=0',
        'process.roles=broker,controller',
        'listeners=CONTROLLER://:9090,REPLICATION://:9091,INTERNAL://:9092',
        `advertised.listeners=CONTROLLER://${hostOf(0)}:9090,REPLICATION://${hostOf(0)}:9091,INTERNAL://${hostOf(0)}:9092`,
        `controller.quorum.bootstrap.servers=${[0, 1, 2].map((id) => `${hostOf(id)}:9090`).join(',')}`,
        '',
      ].join('\n'),
    );
    const initial = [0, 1, 2].map((id) => `${id}@${hostOf(id)}:9090:disk${id}`).join(',');
    expect(variableOf(pod, 'KAFKA_INITIAL_CONTROLLERS')).toBe(initial);
  });

  test('has brokers in pools that are no controllers, and find the quorum among the others', () => {
    const properties = variableOf(rendered(ofPool), 'KAFKA_NODE_PROPERTIES');
    expect(properties).not.toMatch(/process\.roles|CONTROLLER/);
    expect(properties).toContain(`controller.quorum.bootstrap.servers=${hostOf(0)}:9090`);
  });

  test('has claims that tell of the votes on them', () => {
    const annotationsOf = (node: KafkaNodeRef) => {
      const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
      new KafkaNodeClaim(chart, 'claim', { name: 'events', node, storage: { size: '1Gi' }, clusterId: 'id' });
      return chart.toJson()[0].metadata.annotations;
    };
    expect(annotationsOf(first)).toHaveProperty(['reconstruct.dev/kafka-combined'], 'true');
    expect(annotationsOf(ofPool)).not.toHaveProperty(['reconstruct.dev/kafka-combined']);
  });

  test.each([
    { replicas: 1, problems: 0 },
    { replicas: 3, problems: 0 },
    { replicas: 7, problems: 0 },
    { replicas: 4, problems: 1 },
    { replicas: 9, problems: 1 },
  ])('with $replicas brokers has $problems problems', ({ replicas, problems }) => {
    const brokers = { ...least.brokers, replicas };
    expect(kafkaProblems(specOf({ ...combined, brokers }))).toHaveLength(problems);
    expect(kafkaProblems(specOf({ brokers }))).toEqual([]);
  });

  test('starts no broker again for another number of them, unless new topics get other replicas', () => {
    const five = { ...combined, brokers: { ...least.brokers, replicas: 5 } };
    const one = { ...combined, brokers: { ...least.brokers, replicas: 1 } };
    expect(revisionOf('broker', five)).toBe(revisionOf('broker', combined));
    expect(revisionOf('broker', one)).not.toBe(revisionOf('broker', combined));
    expect(revisionOf('broker', combined)).not.toBe(revisionOf('broker'));
    // A broker of a pool creates no topics.
    const ofPoolWith = (input: object) => {
      const spec = specOf({ ...input, pools });
      return kafkaNodeRevision({
        ...{ name: 'events', namespace: 'shop', spec, image: kafkaImage(spec), group: 'large', certificates: 'a' },
      });
    };
    expect(ofPoolWith(one)).toBe(ofPoolWith(combined));
  });
});
