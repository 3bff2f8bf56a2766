import { describe, expect, test } from 'vitest';
import { argumentsOf, podOf, type Rendered } from './given-etcd.js';

const container = (pod: Rendered) => pod.spec.containers[0];
const host = (member: string) => `https://${member}.store-peers.shop.svc`;

describe('the Pod of a member', () => {
  test('has the name, the host name and the volume of the member', () => {
    const { metadata, spec } = podOf();
    expect(metadata).toMatchObject({
      ...{ name: 'store-2', namespace: 'shop' },
      labels: { 'reconstruct.dev/etcd-cluster': 'store', 'reconstruct.dev/etcd-member': 'store-2' },
    });
    expect(spec).toMatchObject({ hostname: 'store-2', subdomain: 'store-peers', serviceAccountName: 'store' });
    expect(spec.volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'store-2' } });
    expect(argumentsOf(podOf())).toMatchObject({ name: 'store-2', 'data-dir': '/var/lib/etcd/data' });
  });

  test('writes to its volume alone', () => {
    const writable = container(podOf()).volumeMounts.filter(({ readOnly }: Rendered) => !readOnly);
    expect(writable).toEqual([{ name: 'data', mountPath: '/var/lib/etcd' }]);
    expect(container(podOf()).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
    expect(podOf().spec.automountServiceAccountToken).toBe(false);
  });

  test('serves clients and members with certificates alone', () => {
    const given = argumentsOf(podOf());
    expect(given).toMatchObject({
      'client-cert-auth': 'true',
      'peer-client-cert-auth': 'true',
      'peer-cert-allowed-cn': 'store-member',
      'trusted-ca-file': '/etc/reconstruct/tls/ca.crt',
      'peer-trusted-ca-file': '/etc/reconstruct/tls/ca.crt',
    });
    for (const flag of ['listen-client-urls', 'listen-peer-urls', 'advertise-client-urls'])
      expect(given[flag]).toMatch(/^https:/);
  });

  test('is ready when it reads through the quorum over TLS, and is not restarted without a quorum', () => {
    const { readinessProbe, livenessProbe, startupProbe, env } = container(podOf());
    expect(readinessProbe.exec.command).toEqual(['etcdctl', 'endpoint', 'health', '--command-timeout=3s']);
    expect([livenessProbe, startupProbe]).toEqual([undefined, undefined]);
    expect(env).toContainEqual({ name: 'ETCDCTL_ENDPOINTS', value: 'https://localhost:2379' });
    expect(env.some(({ name }: Rendered) => name.startsWith('ETCD_'))).toBe(false);
  });

  test.each([
    [{}, ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'], 'ScheduleAnyway'],
    [{ spread: 'Required' as const }, ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'], 'DoNotSchedule'],
    [{ topologyKey: 'kubernetes.io/hostname' }, ['kubernetes.io/hostname'], 'ScheduleAnyway'],
  ])('is spread by the placement %j', (placement, keys, whenUnsatisfiable) => {
    const constraints = podOf({ placement }).spec.topologySpreadConstraints;
    expect(constraints.map(({ topologyKey }: Rendered) => topologyKey)).toEqual(keys);
    for (const one of constraints) {
      expect(one).toMatchObject({
        whenUnsatisfiable,
        labelSelector: { matchLabels: { 'reconstruct.dev/etcd-cluster': 'store' } },
      });
    }
  });

  test('has the template and the resources of the spec', () => {
    const pod = podOf({
      resources: { limits: { memory: '2Gi' } },
      podTemplate: { labels: { team: 'a' }, env: [{ name: 'GOGC', value: '50' }] },
    });
    expect(pod.metadata.labels).toMatchObject({ team: 'a' });
    expect(container(pod).env).toContainEqual({ name: 'GOGC', value: '50' });
    expect(container(pod).resources).toEqual({
      requests: { cpu: '100m', memory: '2Gi' },
      limits: { cpu: '2', memory: '2Gi' },
    });
  });
});

describe('the first start of a member', () => {
  const members = ['store-3', 'store-1', 'store-2'];
  const all = ['store-1', 'store-2', 'store-3'].map((one) => `${one}=${host(one)}:2380`).join(',');

  test.each(['new', 'existing'] as const)('with a %s cluster has all members, in one order', (state) => {
    expect(argumentsOf(podOf({}, { state, members }))).toMatchObject({
      'initial-advertise-peer-urls': `${host('store-2')}:2380`,
      'initial-cluster': all,
      'initial-cluster-state': state,
      'initial-cluster-token': 'uid',
    });
  });

  test('is over: a member that has started finds no other with an empty volume, so etcd ends', () => {
    expect(argumentsOf(podOf())).toMatchObject({
      'initial-cluster': `store-2=${host('store-2')}:2380`,
      'initial-cluster-state': 'existing',
    });
  });
});

describe('the data of a member', () => {
  const mebibytes = (bytes = '') => Number(bytes) / 2 ** 20;
  test.each([
    ['1Gi', 288],
    [undefined, 800],
    ['10Gi', 4_896],
    ['1Ti', 8_192],
  ])('on a volume of %s has at most %i MiB', (size, quota) => {
    const storage = size === undefined ? {} : { size };
    expect(mebibytes(argumentsOf(podOf({ storage }))['quota-backend-bytes'])).toBe(quota);
  });

  test('is compacted', () => {
    expect(argumentsOf(podOf())).toMatchObject({
      'auto-compaction-mode': 'periodic',
      'auto-compaction-retention': '1h',
    });
  });
});
