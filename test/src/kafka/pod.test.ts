import { describe, expect, test } from 'vitest';
import { least, podOf, type Rendered } from './given-cluster.js';

const container = (pod: Rendered) => pod.spec.containers[0];
const envOf = (pod: Rendered) =>
  Object.fromEntries(container(pod).env.map(({ name, value, valueFrom }: Rendered) => [name, value ?? valueFrom]));
const secretsOf = (pod: Rendered) =>
  pod.spec.volumes
    .find(({ name }: Rendered) => name === 'properties')
    .projected.sources.flatMap(({ secret }: Rendered) => (secret ? [secret] : []));

describe('the Pod of a node', () => {
  test.each([
    [0, 'broker', ['replication', 'internal', 'metrics'], [9091, 9092, 9404]],
    [1_000, 'controller', ['controller', 'metrics'], [9090, 9404]],
  ])('%i has the ports of a %s', (id, role, names, ports) => {
    const pod = podOf(id);
    expect(pod.metadata.name).toBe(`events-${role}-${id}`);
    expect(container(pod).ports.map(({ name }: Rendered) => name)).toEqual(names);
    expect(container(pod).ports.map(({ containerPort }: Rendered) => containerPort)).toEqual(ports);
    expect(container(pod).readinessProbe.tcpSocket.port).toBe(names[0]);
    expect(container(pod).livenessProbe).toBeUndefined();
  });

  test('writes to its volume and to three folders that end with it', () => {
    const { spec } = podOf(0);
    const writable = spec.containers[0].volumeMounts.filter(({ readOnly }: Rendered) => !readOnly);
    expect(writable.map(({ mountPath }: Rendered) => mountPath)).toEqual(['/var/lib/kafka', '/run/kafka', '/tmp']);
    expect(spec.volumes.find(({ name }: Rendered) => name === 'data')).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'events-broker-0' },
    });
    expect(spec.volumes.find(({ name }: Rendered) => name === 'run').emptyDir.medium).toBe('Memory');
  });

  test('has three minutes to hand over its partitions', () => {
    expect(podOf(0).spec.terminationGracePeriodSeconds).toBe(180);
  });

  test.each([0, 1_000])('%i is spread over racks and machines among those of its role', (id) => {
    const role = id < 1_000 ? 'broker' : 'controller';
    const constraints = podOf(id, { racks: { topologyKey: 'topology.kubernetes.io/region' } }).spec
      .topologySpreadConstraints;
    expect(constraints.map(({ topologyKey }: Rendered) => topologyKey)).toEqual([
      'topology.kubernetes.io/region',
      'kubernetes.io/hostname',
    ]);
    for (const { whenUnsatisfiable, labelSelector } of constraints) {
      expect(whenUnsatisfiable).toBe('ScheduleAnyway');
      expect(labelSelector.matchLabels).toEqual({
        'reconstruct.dev/kafka-cluster': 'events',
        'reconstruct.dev/kafka-role': role,
      });
    }
  });
});

describe('the certificates of a node', () => {
  const listeners = [
    { name: 'internal', port: 9092 },
    { name: 'partners', port: 9093, tls: { issuer: { name: 'public' } } },
  ];
  test.each([
    [0, ['events-nodes-tls', 'events-listener-partners-tls']],
    [1_000, ['events-nodes-tls']],
  ])('of %i are in the Secrets %j', (id, names) => {
    expect([...new Set(secretsOf(podOf(id, { listeners })).map(({ name }: Rendered) => name))]).toEqual(names);
  });

  test('need no CA certificate, which an ACME server does not state', () => {
    const optional = secretsOf(podOf(0, { listeners })).filter((secret: Rendered) => secret.optional);
    const required = secretsOf(podOf(0, { listeners })).filter((secret: Rendered) => !secret.optional);
    const pathsOf = (secrets: Rendered[]) =>
      secrets.flatMap(({ items }: Rendered) => items.map(({ path }: Rendered) => path));
    expect(pathsOf(optional)).toEqual(['tls/nodes/ca.crt', 'tls/partners/ca.crt']);
    expect(pathsOf(required)).toEqual([
      ...['tls/nodes/tls.crt', 'tls/nodes/tls.key', 'tls/partners/tls.crt', 'tls/partners/tls.key'],
    ]);
  });
});

describe('the memory of a node', () => {
  const limited = (memory: string) => ({ resources: { limits: { memory } } });
  test.each([
    [0, '1024', 'half of the limit by default', {}],
    [1_000, '384', 'half of the limit by default', {}],
    [0, '2048', 'half of the limit', { brokers: { ...least.brokers, ...limited('4Gi') } }],
    [0, '700', 'what the spec has', { jvm: { heap: '700Mi' } }],
    [1_000, '384', 'not that of brokers', { jvm: { heap: '700Mi' } }],
    [1_000, '512', 'half of its limit', { controllers: limited('1Gi') }],
  ])('%i has a heap of %s MiB: %s', (id, heap, _, given) => {
    expect(envOf(podOf(id, given))['KAFKA_HEAP_MB']).toBe(heap);
  });
});

describe('the environment of a node', () => {
  test('has the options of the virtual machine in one variable', () => {
    const options = ['-XX:+UseZGC', '-Da=b'];
    expect(envOf(podOf(0, { jvm: { options } }))['KAFKA_JVM_OPTIONS']).toBe('-XX:+UseZGC -Da=b');
    expect(envOf(podOf(0))).not.toHaveProperty('KAFKA_JVM_OPTIONS');
  });

  test('has no first controllers, once the quorum exists', () => {
    expect(envOf(podOf(1_000))).not.toHaveProperty('KAFKA_INITIAL_CONTROLLERS');
  });

  test('has the rack of a broker, and none of a controller', () => {
    expect(envOf(podOf(0))['KAFKA_RACK']).toEqual({
      fieldRef: { fieldPath: "metadata.labels['topology.kubernetes.io/zone']" },
    });
    expect(envOf(podOf(1_000))).not.toHaveProperty('KAFKA_RACK');
  });
});

describe('a pool', () => {
  const pools = [{ name: 'large', replicas: 1, storage: { size: '1Ti' }, resources: { limits: { memory: '8Gi' } } }];
  test('has Pods with its name and its resources', () => {
    const pod = podOf(7, { pools }, 'large');
    expect(pod.metadata.name).toBe('events-large-7');
    expect(container(pod).resources.limits.memory).toBe('8Gi');
  });

  test('that the spec no longer has keeps the Pods that its replicas leave', () => {
    expect(podOf(7, {}, 'large').metadata.name).toBe('events-large-7');
  });
});
