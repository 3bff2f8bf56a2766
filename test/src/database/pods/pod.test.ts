import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import { dynamicConfig } from '../../../../src/database/config/patroni-config.js';
import type { DatabaseSpecInput } from '../../../../src/index.js';
import { bucket, least, renderedPod } from '../given-database.js';

interface Source {
  readonly configMap?: Named;
  readonly secret?: Named;
}
interface Named {
  readonly name: string;
  readonly optional?: boolean;
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

const specOf = (input: Partial<DatabaseSpecInput> = {}, more = {}) => renderedPod(input, more)['spec'];
const containerOf = (name: string, input: Partial<DatabaseSpecInput> = {}) =>
  specOf(input).containers.find((one: { name: string }) => one.name === name);

/** Where each file of a volume comes from: `path < object/key`, with a `?` where that may be missing. */
function files(volume: string, input: Partial<DatabaseSpecInput> = {}, more = {}): readonly string[] {
  const { projected } = specOf(input, more).volumes.find((one: { name: string }) => one.name === volume);
  return (projected.sources as readonly Source[]).flatMap(({ configMap, secret }) => {
    const { name = '', items = [], optional = false } = configMap ?? secret ?? {};
    return items.map(({ key, path }) => `${path} < ${name}/${key}${optional ? '?' : ''}`);
  });
}

const always = [
  'patroni.yaml < orders-postgres/patroni.yaml',
  'begin.json < orders-postgres/begin.json',
  'secrets/superuser-password < orders-superuser/password',
  'secrets/app-password < orders-app/password',
  'secrets/replication-password < orders-internal/replication-password',
  'secrets/rewind-password < orders-internal/rewind-password',
  'tls/tls.crt < orders-tls/tls.crt',
  'tls/tls.key < orders-tls/tls.key',
  'tls/ca.crt < orders-tls/ca.crt',
];
const none: Partial<DatabaseSpecInput> = { backup: undefined, deletionPolicy: 'Retain' };

describe('the Pod of an instance', () => {
  test('is found by its own labels, and by name', () => {
    const { metadata, spec } = renderedPod() as ReturnType<typeof renderedPod> & { spec: object };
    expect(metadata).toMatchObject({
      name: 'orders-2',
      namespace: 'shop',
      labels: {
        'cluster-name': 'orders',
        'reconstruct.dev/database': 'orders',
        'reconstruct.dev/instance': 'orders-2',
      },
    });
    // Its role is Patroni's to say.
    expect(metadata.labels).not.toHaveProperty('role');
    expect(spec).toMatchObject({ hostname: 'orders-2', subdomain: 'orders-members', serviceAccountName: 'orders' });
  });

  test('line 2: knows that it is cut off before its lease is over', () => {
    const options: readonly { name: string; value: string }[] = specOf().dnsConfig.options;
    const of = (name: string) => Number(options.find((option) => option.name === name)?.value);
    // Names are asked for twice, by the search list and as they are; and Patroni lets others take 2 s to answer.
    const asking = 2 * of('timeout') * of('attempts') + 2;
    const spec = withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Retain' });
    const { ttl, loop_wait, retry_timeout } = dynamicConfig('orders', spec);
    expect(loop_wait + retry_timeout + asking).toBeLessThan(ttl);
  });

  test('keeps its data on the claim of its name', () => {
    const { volumes } = specOf();
    expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'orders-2' } });
    expect(containerOf('postgres').volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/lib/postgresql' });
  });

  test.each<readonly [with_: string, more: readonly string[], input: Partial<DatabaseSpecInput>]>([
    ['nothing more', [], none],
    ['backups to a volume', ['pgbackrest.conf < orders-postgres/pgbackrest.conf'], {}],
    [
      'backups to a bucket',
      [
        'pgbackrest.conf < orders-postgres/pgbackrest.conf',
        's3/accessKeyId < store/accessKeyId',
        's3/secretAccessKey < store/secretAccessKey',
        's3/ca.crt < store/ca.crt?',
      ],
      { backup: bucket },
    ],
    [
      'init SQL',
      ['init/init.sql < orders-init/first.sql?'],
      { ...none, bootstrap: { initSql: { configMapRef: { name: 'orders-init', key: 'first.sql' } } } },
    ],
  ])('reads its settings and passwords as files, with %s', (_with, more, input) => {
    expect(files('settings', input).toSorted()).toEqual([...always, ...more].toSorted());
  });

  test.each<readonly [where: string, sources: readonly string[], input: DatabaseSpecInput]>([
    [
      'a volume',
      [
        'restore/tls/tls.crt < old-tls/tls.crt?',
        'restore/tls/tls.key < old-tls/tls.key?',
        'restore/tls/ca.crt < old-tls/ca.crt?',
      ],
      least,
    ],
    [
      'a bucket',
      [
        'restore/s3/accessKeyId < store/accessKeyId?',
        'restore/s3/secretAccessKey < store/secretAccessKey?',
        'restore/s3/ca.crt < store/ca.crt?',
      ],
      { ...least, backup: bucket },
    ],
  ])('line 7: that begins with a backup from %s still starts when that is gone', (_where, sources, input) => {
    const { backup } = withDefaults(databaseSpec, input);
    const restored = { name: 'old', namespace: 'shop', backup };
    const config = 'restore/pgbackrest.conf < orders-postgres/restore.conf?';
    expect(files('settings', none, { restored }).toSorted()).toEqual([...always, config, ...sources].toSorted());
  });

  test('line 7: that begins with what a Pod of its own serves takes nothing of the Database that is gone', () => {
    const { backup } = withDefaults(databaseSpec, least);
    const restored = { name: 'old', namespace: 'shop', backup, servedBy: 'orders' };
    const config = 'restore/pgbackrest.conf < orders-postgres/restore.conf?';
    expect(files('settings', none, { restored }).toSorted()).toEqual([...always, config].toSorted());
  });

  test('gives what serves its data for backups no password, and no account', () => {
    expect(files('backup-settings')).toEqual([
      'pgbackrest.conf < orders-postgres/server.conf',
      'tls/tls.crt < orders-tls/tls.crt',
      'tls/tls.key < orders-tls/tls.key',
      'tls/ca.crt < orders-tls/ca.crt',
    ]);
    const mounted = containerOf('pgbackrest').volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounted.toSorted()).toEqual(['backup-settings', 'backup-tmp', 'data', 'sockets']);
    expect(specOf(none).containers).toHaveLength(1);
  });

  test('has nothing secret in an environment variable or an argument', () => {
    const { containers } = specOf({ backup: bucket });
    const words = containers.flatMap(({ env = [], args = [], command = [] }) => [env, args, command]);
    expect(JSON.stringify(words)).not.toMatch(/secret|password|key/i);
  });

  test('writes passwords to memory alone', () => {
    const tmp = specOf().volumes.find((one: { name: string }) => one.name === 'tmp');
    expect(tmp).toEqual({ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } });
  });

  test.each([
    ['Preferred', 'ScheduleAnyway'],
    ['Required', 'DoNotSchedule'],
  ] as const)('line 1: is kept apart from the others over zones and nodes, as %s says', (spread, whenUnsatisfiable) => {
    const constraint = (topologyKey: string) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable,
      labelSelector: { matchLabels: { 'reconstruct.dev/database': 'orders', 'cluster-name': 'orders' } },
    });
    const { topologySpreadConstraints } = specOf({ placement: { topologyKey: 'rack', spread } });
    expect(topologySpreadConstraints).toEqual([constraint('rack'), constraint('kubernetes.io/hostname')]);
    const byNode = specOf({ placement: { topologyKey: 'kubernetes.io/hostname', spread } });
    expect(byNode.topologySpreadConstraints).toEqual([constraint('kubernetes.io/hostname')]);
  });

  test.each<readonly [resources: DatabaseSpecInput['resources'], becomes: object]>([
    [{}, { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } }],
    [
      { requests: { memory: '2Gi' } },
      { requests: { cpu: '100m', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    ],
    [
      { limits: { cpu: '50m', memory: '128Mi' } },
      { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '50m', memory: '128Mi' } },
    ],
    [
      { requests: { cpu: 1 }, limits: { cpu: '2000m' } },
      { requests: { cpu: '1', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } },
    ],
  ])('with resources %j gets %j', (resources, becomes) => {
    expect(containerOf('postgres', { resources: resources ?? {} }).resources).toEqual(becomes);
  });
});
