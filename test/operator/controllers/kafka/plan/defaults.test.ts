import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../../crds/index.js';
import { desire } from '../../../../../operator/controllers/kafka/cluster/desire.js';
import { wantedGroups } from '../../../../../operator/controllers/kafka/cluster/groups.js';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import {
  brokersForDefaults,
  wantedConfiguration,
} from '../../../../../operator/controllers/kafka/cluster/nodes/replication-defaults.js';
import { situationOf } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { ConfigMap, PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/index.js';
import { answer, node, now } from '../given-kafka.js';

const specOf = (replicas: number, config: Readonly<Record<string, string>> = {}) =>
  withDefaults(kafkaClusterSpec, { brokers: { replicas, storage: { size: '1Gi' } }, config });

/** Brokers that run, and those that the changes describe, beside three controllers. */
const brokers = (count: number, changes: Readonly<Record<number, Partial<KafkaNode>>> = {}) => [
  ...Array.from({ length: count }, (_, id) => node(id, changes[id])),
  ...[1_000, 1_001, 1_002].map((id) => node(id)),
];
const starting = { isReady: false };
const missing = { pod: 'none', isReady: false } as const;
const left = { pod: 'none', isReady: false, retired: 'removed' } as const;
const lost = { pod: 'none', isReady: false, retired: 'lost' } as const;

describe('the defaults of replication', () => {
  test.each([
    // desired, before, result
    [1, undefined, 1, 'nothing exists yet', []],
    [2, undefined, 2, 'nothing exists yet', []],
    [3, undefined, 3, 'nothing exists yet', []],
    [4, undefined, 3, 'nothing exists yet', []],
    [1, 1, 1, 'it is at rest', brokers(1)],
    [2, 2, 2, 'it is at rest', brokers(2)],
    [3, 3, 3, 'it is at rest', brokers(3)],
    [4, 3, 3, 'it is at rest', brokers(4)],

    [2, 1, 1, 'it grows, and no broker was added', brokers(1)],
    [3, 1, 1, 'it grows, and no broker was added', brokers(1)],
    [3, 1, 1, 'it grows, and new brokers start', brokers(3, { 1: starting, 2: starting })],
    [3, 1, 1, 'it grows, and two brokers are ready', brokers(3, { 2: starting })],
    [3, 1, 3, 'it has grown', brokers(3)],
    [2, 1, 2, 'it has grown', brokers(2)],
    [3, 2, 2, 'it grows, and the third broker starts', brokers(3, { 2: starting })],
    [4, 2, 3, 'three of the four are ready', brokers(4, { 3: starting })],
    [4, 3, 3, 'it grows', brokers(3)],
    [3, undefined, 3, 'nobody knows the defaults before', brokers(1)],

    [2, 3, 3, 'it shrinks, or the removal is refused', brokers(3)],
    [1, 3, 3, 'it shrinks, or the removal is refused', brokers(3)],
    [1, 3, 2, 'it shrinks, and one of two brokers has left', brokers(3, { 2: left })],
    [2, undefined, 3, 'it shrinks, and nobody knows the defaults before', brokers(3)],
    [2, 3, 3, 'the broker that leaves has stopped, and has not left', brokers(3, { 2: missing })],
    [2, 3, 2, 'the surplus broker has left', brokers(3, { 2: left })],
    [1, 3, 1, 'the surplus brokers have left', brokers(3, { 1: left, 2: left })],
    [3, 3, 3, 'it shrinks from four', brokers(4)],
    [2, 3, 3, 'it shrinks from four', brokers(4)],
    [1, 1, 1, 'growth is withdrawn before new brokers were ready', brokers(3, { 1: starting, 2: starting })],

    [3, 3, 3, 'a broker is down', brokers(3, { 1: missing })],
    [3, 3, 3, 'two brokers are not ready', brokers(3, { 1: starting, 2: starting })],
    [3, 3, 3, 'the volume of a broker is lost, and its replacement does not exist yet', brokers(3, { 1: lost })],
    [3, undefined, 3, 'a broker is down, and nobody knows the defaults before', brokers(3, { 1: missing })],
  ] as const)('for %i brokers, after those of %s, are those of %i when %s', (desired, before, result, _, nodes) => {
    expect(brokersForDefaults(specOf(desired), nodes, before)).toBe(result);
  });

  test('count the brokers of pools', () => {
    const spec = { ...specOf(1), pools: [{ ...specOf(2).brokers, name: 'large' }] };
    const nodes = [node(0), node(1, { group: 'large' }), node(2, { group: 'large' })];
    expect(brokersForDefaults(spec as never, nodes, 1)).toBe(3);
  });
});

describe('min.insync.replicas', () => {
  const two = { 'min.insync.replicas': '2' };
  const one = { 'min.insync.replicas': '1' };
  const of = (config: Readonly<Record<string, string>>, highestReplication: number) =>
    answer({ config, partitions: { highestReplication } });
  test.each([
    ['2', 'there are three brokers', 3, {}, of(two, 3)],
    ['1', 'there are two brokers', 2, {}, of(one, 2)],
    ['1', 'two brokers are left, and no topic has three replicas', 2, {}, of(two, 2)],
    ['2', 'two brokers are left, and a topic has three replicas', 2, {}, of(two, 3)],
    ['2', 'one broker is left, and a topic has three replicas', 1, {}, of(two, 3)],
    ['1', 'a person states it', 2, one, of(two, 3)],
    ['2', 'a person states no higher one any more', 3, {}, of({ 'min.insync.replicas': '3' }, 4)],
    ['2', 'the third broker is ready', 3, {}, of(one, 1)],
    ['1', 'the brokers do not answer', 2, {}, undefined],
  ] as const)('is %s when %s', (value, _, count, config, cluster) => {
    expect(wantedConfiguration(specOf(count, config), count, cluster)['min.insync.replicas']).toBe(value);
  });
});

describe('a cluster of three brokers that is asked to shrink to two', () => {
  const names = [
    ...[0, 1, 2].map((id) => `events-broker-${id}`),
    ...[0, 1, 2].map((id) => `events-controller-100${id}`),
  ];
  const claimOf = (name: string, labels: object = {}) => ({
    metadata: { name, namespace: 'shop', labels, annotations: { 'reconstruct.dev/bootstrapped': 'true' } },
    spec: { volumeName: 'pv', resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  });
  const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-27T11:00:00Z' }];
  const podOf = (name: string) => ({
    metadata: { name, namespace: 'shop', annotations: {}, creationTimestamp: '2026-11-27T11:00:00Z' },
    ...{ spec: { nodeName: 'm1' }, status: { phase: 'Running', conditions: ready } },
  });
  const remembered = (count: string) => ({
    metadata: { name: 'events-config', annotations: { 'reconstruct.dev/brokers-for-defaults': count } },
  });

  function viewOf(replicas: number, config: object | undefined, isGone = false) {
    const metadata = { name: 'events', namespace: 'shop', uid: 'uid', resourceVersion: '1' };
    const certificate = { authorities: 'a', fingerprint: 'n' };
    const pods = names.filter((name) => !isGone || name !== 'events-broker-2').map(podOf);
    const retired = { 'reconstruct.dev/retired': 'removed' };
    const claims = names.map((name) => claimOf(name, isGone && name === 'events-broker-2' ? retired : {}));
    const objects = new Map<unknown, readonly object[]>([
      [Pod, pods],
      [PersistentVolumeClaim, claims],
      [ConfigMap, config ? [config] : []],
    ]);
    const value = answer({
      config: { 'min.insync.replicas': '2' },
      partitions: { highestReplication: isGone ? 2 : 3 },
    });
    return {
      ...{ resource: { metadata, spec: specOf(replicas) }, now: new Date(now), isServed: () => true },
      polled: { cluster: { known: true, value, at: now, earlier: [] } },
      owned: { of: (kind: unknown) => objects.get(kind) ?? [] },
      reads: {
        ...{ nodes: [], claims: [], listenerCertificates: [] },
        ...{ nodeCertificate: certificate, operatorCertificate: certificate },
      },
    } as never;
  }

  function propertiesIn(view: never): string {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    desire(chart, view);
    const config = chart
      .toJson()
      .find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'events-config');
    return `${config.data['controller.properties']}${config.data['broker.properties']}`;
  }

  const revisionsIn = (view: never) => wantedGroups(view).map(({ revision }) => revision);

  test.each([
    ['remembers its defaults', remembered('3')],
    ['was rendered by an operator that did not remember them', undefined],
    ['has an annotation that is no number of brokers', remembered('many')],
  ])('keeps all defaults and restarts nothing while the third is there, if its ConfigMap %s', (_, config) => {
    const view = viewOf(2, config);
    expect(propertiesIn(view)).toBe(propertiesIn(viewOf(3, config)));
    expect(propertiesIn(view)).toContain('\ntransaction.state.log.min.isr=2\n');
    expect(situationOf(view).config).toEqual({ 'min.insync.replicas': '2' });
    expect(revisionsIn(view)).toEqual(revisionsIn(viewOf(3, config)));
  });

  test('has those of two when the third has left', () => {
    const view = viewOf(2, remembered('3'), true);
    expect(propertiesIn(view)).toContain('\ndefault.replication.factor=2\nmin.insync.replicas=1\n');
    expect(situationOf(view).config).toEqual({ 'min.insync.replicas': '1' });
  });
});
