import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../crds/index.js';
import * as library from '../../../src/index.js';
import {
  certificateHosts,
  DatabaseSharedObjects,
  type DatabaseSharedObjectsProps,
  databaseProblems,
  instanceImage,
} from '../../../src/index.js';
import type { Rendered } from '../given-rendered.js';
import { backup, bucket, least, named, renderedDatabase, renderedWhole } from './given-database.js';

const shared = [
  'ServiceAccount orders',
  'Role orders',
  'RoleBinding orders',
  'ConfigMap orders-postgres',
  'ConfigMap orders-config',
  'ConfigMap orders-failover',
  'Service orders-rw',
  'Service orders-ro',
  'Service orders-r',
  'Service orders-members',
];
const titles = (objects: readonly Rendered[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const instances = { 'reconstruct.dev/database': 'orders', 'cluster-name': 'orders' };

test('no construct is named after the kind, because none renders an instance', () => {
  expect(Object.keys(library)).toContain('DatabaseSharedObjects');
  expect(Object.keys(library)).not.toContain('Database');
});

describe('the shared objects of a Database', () => {
  test('is a fixed set of objects, with budgets where there are replicas', () => {
    const budgets = ['PodDisruptionBudget orders-primary', 'PodDisruptionBudget orders'];
    expect(titles(renderedDatabase())).toEqual([...shared, ...budgets]);
    expect(titles(renderedDatabase({ replicas: 1, synchronous: { mode: 'None' } }))).toEqual(shared);
  });

  test('has the labels of the Database, in its namespace', () => {
    for (const { metadata } of renderedDatabase()) {
      expect(metadata).toMatchObject({
        namespace: 'shop',
        labels: {
          'app.kubernetes.io/name': 'postgresql',
          'app.kubernetes.io/managed-by': 'reconstruct',
          'reconstruct.dev/database': 'orders',
        },
      });
    }
  });

  test('has no label by which Argo CD deletes it, except what Patroni finds by that label', () => {
    const labelled = renderedWhole().filter(({ metadata }) => 'app.kubernetes.io/instance' in (metadata.labels ?? {}));
    expect(titles(labelled).toSorted()).toEqual([
      'ConfigMap orders-config',
      'ConfigMap orders-failover',
      'Pod orders-1',
    ]);
    const kindsOfData = renderedWhole().filter(({ kind }) => ['PersistentVolumeClaim', 'Secret'].includes(kind));
    expect(kindsOfData.length).toBeGreaterThan(5);
  });

  test('is refused where no namespace is stated', () => {
    const chart = new Chart(new App(), 'chart');
    expect(() => new DatabaseSharedObjects(chart, 'orders', least)).toThrow(
      'namespace must be set, because certificates of a Database contain it',
    );
  });

  test.each([
    ['orders-rw', { ...instances, role: 'master' }],
    ['orders-ro', { ...instances, role: 'replica' }],
    ['orders-r', instances],
  ])('line 1: Service %s leads to the instances %j', (name, selector) => {
    const { spec } = named(renderedDatabase(), 'Service', name) as Rendered;
    expect(spec).toEqual({
      selector,
      ports: [{ name: 'postgresql', port: 5432, protocol: 'TCP', targetPort: 5432 }],
    });
  });

  test('line 1: every Pod has a name before it is ready', () => {
    const { spec } = named(renderedDatabase(), 'Service', 'orders-members') as Rendered;
    const selector = { 'reconstruct.dev/database': 'orders' };
    expect(spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true, selector });
  });

  test.each([
    [2, 0],
    [3, 1],
    [5, 3],
  ])('line 4: of %i instances the primary stays, and %i replicas', (replicas, minAvailable) => {
    const objects = renderedDatabase({ replicas });
    const budgetOf = (name: string) => (named(objects, 'PodDisruptionBudget', name) as Rendered)['spec'];
    expect(budgetOf('orders-primary')).toMatchObject({
      minAvailable: 1,
      selector: { matchLabels: { ...instances, role: 'master' } },
    });
    expect(budgetOf('orders')).toMatchObject({
      minAvailable,
      // No Pod is in both: one that is could not be evicted at all.
      selector: { matchLabels: instances, matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['master'] }] },
    });
  });

  test('may write to its own Pods and ConfigMaps, and to no others', () => {
    const writes = (objects: readonly Rendered[]) =>
      (named(objects, 'Role', 'orders') as Rendered)['rules'].filter(({ verbs }: { verbs: string[] }) =>
        verbs.some((verb) => verb !== 'get' && verb !== 'list' && verb !== 'watch'),
      );
    const ofConfigMaps = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'list', 'watch'] },
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['orders-leader', 'orders-config', 'orders-failover', 'orders-sync'],
        verbs: ['get', 'patch', 'update'],
      },
    ];
    const ofPods = (names: readonly string[]) => [
      { apiGroups: [''], resources: ['pods'], resourceNames: names, verbs: ['get', 'patch'] },
    ];
    expect(writes(renderedDatabase())).toEqual([...ofConfigMaps, ...ofPods(['orders-1', 'orders-2', 'orders-3'])]);
    expect(writes(renderedDatabase({ instances: ['orders-7'] }))).toEqual([...ofConfigMaps, ...ofPods(['orders-7'])]);
    // Without names the rule would be about every Pod.
    expect(writes(renderedDatabase({ instances: [] }))).toEqual(ofConfigMaps);
  });

  test('tells Patroni what holds for all where it finds it, by its own label', () => {
    const objects = renderedDatabase({ parameters: { max_connections: '50' } });
    const config = named(objects, 'ConfigMap', 'orders-config') as Rendered;
    expect(config.metadata.labels).toMatchObject(instances);
    const { postgresql } = JSON.parse(config.metadata.annotations?.['config'] ?? '');
    expect(postgresql.parameters.max_connections).toBe('50');
    expect(named(objects, 'ConfigMap', 'orders-failover').metadata.labels).toMatchObject(instances);
    expect(named(objects, 'ConfigMap', 'orders-postgres').metadata.labels).not.toHaveProperty('cluster-name');
  });

  test.each<readonly [what: string, files: readonly string[], props: Partial<DatabaseSharedObjectsProps>]>([
    ['backups', ['patroni.yaml', 'begin.json', 'pgbackrest.conf', 'server.conf'], {}],
    ['none', ['patroni.yaml', 'begin.json'], { backup: undefined, deletionPolicy: 'Retain' }],
    [
      'a restore',
      ['patroni.yaml', 'begin.json', 'pgbackrest.conf', 'server.conf', 'restore.conf'],
      {
        restored: {
          source: { name: 'old', namespace: 'shop', backup: withDefaults(databaseSpec, least).backup ?? expect.fail() },
          restoration: { from: 'old' },
        },
      },
    ],
    [
      'a restore of one that is gone',
      ['patroni.yaml', 'begin.json', 'pgbackrest.conf', 'server.conf', 'restore.conf', 'archive.conf'],
      {
        restored: {
          source: { name: 'old', namespace: 'shop', backup: { target: { volume: {} } }, servedBy: 'orders' },
          restoration: { from: 'old' },
        },
      },
    ],
  ])('has the files that its Pods read, with %s', (_what, files, props) => {
    const { data } = named(renderedDatabase(props), 'ConfigMap', 'orders-postgres') as Rendered;
    expect(Object.keys(data).toSorted()).toEqual(files.toSorted());
  });
});

describe('the Secrets of a Database', () => {
  const secret = (name: string) => {
    const data: Readonly<Record<string, string>> = (named(renderedWhole(), 'Secret', name) as Rendered)['data'];
    const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const);
    return Object.fromEntries(texts);
  };

  test('tell applications all they need to connect, in parts and as one address', () => {
    expect(secret('orders-app')).toEqual({
      host: 'orders-rw.shop.svc',
      port: '5432',
      dbname: 'app',
      user: 'app',
      password: 'a/b',
      uri: 'postgresql://app:a%2Fb@orders-rw.shop.svc:5432/app?sslmode=require',
      'ca.crt': 'AUTHORITY',
    });
    expect(secret('orders-superuser')).toEqual({ username: 'postgres', password: 'super' });
  });

  test('keep the key of the authority out of what Pods mount', () => {
    const holders = renderedWhole()
      .filter(
        ({ kind, ...rest }) =>
          kind === 'Secret' && JSON.stringify(rest).includes(Buffer.from('AUTHORITY KEY').toString('base64')),
      )
      .map(({ metadata }) => metadata.name);
    expect(holders).toEqual(['orders-ca']);
    const pods = renderedWhole().filter(({ kind }) => kind === 'Pod');
    expect(JSON.stringify(pods)).not.toContain('orders-ca');
  });

  test('have a certificate for every name that is connected to', () => {
    const hosts = certificateHosts('orders', 'shop');
    expect(hosts).toEqual(expect.arrayContaining(['orders-rw', 'orders-rw.shop.svc', 'orders-ro.shop', 'localhost']));
    expect(hosts).toContain('*.orders-members.shop.svc');
  });
});

describe('the repository of the backups', () => {
  test('is a Pod with a volume, by default three times as large as an instance’s', () => {
    const claimOf = (volume: object) =>
      (named(renderedWhole({ backup: { target: { volume } } }), 'PersistentVolumeClaim', 'orders-repo') as Rendered)[
        'spec'
      ];
    expect(claimOf({}).resources.requests.storage).toBe('3Gi');
    expect(claimOf({ size: '2Gi', storageClassName: 'slow' })).toEqual({
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'slow',
      resources: { requests: { storage: '2Gi' } },
    });
    const pod = named(renderedWhole({ backup }), 'Pod', 'orders-repo') as Rendered;
    expect(pod['spec']).toMatchObject({ hostname: 'orders-repo', subdomain: 'orders-members' });
    // Patroni would take it for an instance.
    expect(pod.metadata.labels).not.toHaveProperty('cluster-name');
  });

  test('is nothing of the cluster where it is a bucket', () => {
    const names = titles(renderedWhole({ backup: bucket })).filter((title) => title.endsWith('-repo'));
    expect(names).toEqual(['ConfigMap orders-repo']);
  });
});

test.each<readonly [problem: string, change: object]>([
  ['replicas: Invalid value: must be at least 1', { replicas: 0 }],
  ['replicas: Invalid value: must be more than synchronous.replicas', { replicas: 1 }],
  ['backup: Required value: must be set if deletionPolicy is Snapshot', { backup: undefined }],
  ['backup.target: Invalid value: must have exactly one location', { backup: { target: {} } }],
  [
    'backup.target: Invalid value: must have exactly one location',
    { backup: { target: { ...backup.target, ...bucket.target } } },
  ],
  [
    'bootstrap: Invalid value: must not have both initSql and restore',
    { bootstrap: { initSql: { configMapRef: { name: 'a' } }, restore: { from: { backup: 'b' } } } },
  ],
  ...['2026-11-22T10:00:00+99:99', '2026-02-31T10:00:00Z'].map(
    (targetTime) =>
      [
        `bootstrap.restore.targetTime: Invalid value: "${targetTime}": must be a date, a time and a time zone, such as 2026-11-21T13:00:00Z`,
        { bootstrap: { restore: { from: { backup: 'b' }, targetTime } } },
      ] as const,
  ),
  ['backup.schedule: Invalid value: "daily": must be a schedule', { backup: { ...backup, schedule: 'daily' } }],
  [
    'backup.schedule: Invalid value: "0 1-2,5-2 * * *": must not have the range 5-2, which ends before it starts; write two ranges, such as 22-23,0-5',
    { backup: { ...backup, schedule: '0 1-2,5-2 * * *' } },
  ],
  ['must not have the range FRI-MON, which ends', { backup: { ...backup, schedule: '0 3 * * FRI-MON' } }],
  ['parameters.max_conections: Unknown parameter', { parameters: { max_conections: '1' } }],
  [
    'parameters.log_line_prefix: Invalid value: "%m\\n": must not have a line break',
    { parameters: { log_line_prefix: '%m\n' } },
  ],
  ['deletionPolicy: Unsupported value: "Keep": must be one of', { deletionPolicy: 'Keep' }],
  ['replica: Unknown field', { replica: 1 }],
])('line 12: is refused by synth: %s', (problem, change) => {
  const spec = withDefaults(databaseSpec, { ...least, ...change } as typeof least);
  expect(databaseProblems(spec).join('\n')).toContain(problem);
  expect(() => renderedDatabase(change as Partial<DatabaseSharedObjectsProps>)).toThrow(problem);
});

test('an invalid size has an error', () => {
  const spec = withDefaults(databaseSpec, { ...least, storage: { size: '1GB' } });
  expect(databaseProblems(spec)).toEqual(['storage.size: Invalid value: "1GB": must be a size, such as 500Mi or 10Gi']);
});

test('replicas: 0 has one error, without advice on a quorum', () => {
  const spec = withDefaults(databaseSpec, { ...least, replicas: 0 });
  expect(databaseProblems(spec)).toEqual([
    'replicas: Invalid value: must be at least 1, so that an instance keeps the data; use 1 or more',
  ]);
});

test('an invalid time of a restore has an error', () => {
  const targetTime = '2026-11-22T10:00:00+99:99';
  const source = { name: 'old', namespace: 'shop', backup: { target: { volume: {} } } };
  const props = {
    bootstrap: { restore: { from: { database: 'old' }, targetTime } },
    restored: { source, restoration: { from: 'old', targetTime } },
  } as Partial<DatabaseSharedObjectsProps>;
  expect(() => renderedDatabase(props)).toThrow(
    `bootstrap.restore.targetTime: Invalid value: "${targetTime}": must be a date`,
  );
});

test('the image of a version comes from the catalogue, and from the spec before that', () => {
  const spec = withDefaults(databaseSpec, least);
  expect(instanceImage(spec)).toBe('registry.alien6.io/reconstruct/postgres:15.20');
  expect(instanceImage(spec, 'registry.example.com/pg')).toBe('registry.example.com/pg:15.20');
  expect(instanceImage({ ...spec, image: 'mine:1' }, 'registry.example.com/pg')).toBe('mine:1');
});
