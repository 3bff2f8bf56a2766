import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { database, databaseSpec, type InputOf, withDefaults } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(database);
});
afterAll(() => server.close());

const volume = { target: { volume: { size: '2Gi' } } };
const s3 = (more: object = {}) => ({
  target: { s3: { endpoint: 'store.example.com', bucket: 'backups', secretRef: { name: 'store' }, ...more } },
});
const least = { storage: { size: '1Gi' }, backup: volume };

const tried = (spec: object, name = 'orders') =>
  server.tried(database, { metadata: { name }, spec: { ...least, ...spec } });

async function refused(spec: object, message: string): Promise<void> {
  const answer = await tried(spec);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.message).toContain(message);
}

test('the Database of the contract applies', async () => {
  const spec = {
    version: '15',
    replicas: 3,
    storage: { size: '1Gi' },
    resources: {},
    parameters: { max_connections: '100' },
    synchronous: { mode: 'Quorum', replicas: 1, durability: 'Required' },
    placement: { topologyKey: 'topology.kubernetes.io/zone', spread: 'Required' },
    bootstrap: { database: 'app', owner: 'app', initSql: { configMapRef: { name: 'orders-init' } } },
    backup: { schedule: '0 3 * * *', retention: { full: 7 }, target: { volume: { size: '2Gi' } }, verify: 'Weekly' },
    deletionPolicy: 'Snapshot',
    finalSnapshot: { deadline: '30m', onFailure: 'Block' },
  };
  const answer = await tried(spec);
  expect(answer.body.message).toBeUndefined();
  expect(answer.body.spec).toMatchObject(spec);
});

test('kstatus reads InProgress until the operator has looked for the first time', async () => {
  const { body } = await server.create(database, { metadata: { name: 'unobserved' }, spec: least });
  expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
  await server.remove(database, 'unobserved');
});

test.each<readonly [what: string, spec: InputOf<typeof databaseSpec>]>([
  ['storage and backups alone', { storage: { size: '1Gi' }, backup: volume }],
  ['no backups', { storage: { size: 536_870_912 }, deletionPolicy: 'Retain' }],
  [
    'empty objects',
    { ...least, resources: {}, parameters: {}, synchronous: {}, placement: {}, bootstrap: {}, finalSnapshot: {} },
  ],
])('the API server fills in what the constructs do: %s', async (_what, spec) => {
  const answer = await server.tried(database, { metadata: { name: 'orders' }, spec });
  expect(answer.body.message).toBeUndefined();
  expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(databaseSpec, spec)));
});

const owned = [
  ['port', 'must not be set, because the operator decides where the server listens and keeps its files; remove it'],
  ['ssl', 'must not be set, because all connections use the certificates and passwords of the operator; remove it'],
  [
    'synchronous_standby_names',
    'must not be set, because the operator manages replication; set replicas or synchronous instead',
  ],
  ['archive_command', 'must not be set, because the operator manages backups; set backup or bootstrap.restore instead'],
  ['fsync', 'must not be set, because acknowledged rows would be lost; remove it'],
  ['logging_collector', 'must not be set, because the server writes to the log of its Pod; remove it'],
] as const;

const noSchedule =
  'spec.backup.schedule: Invalid value: "%": must be a schedule of five fields (minute hour day month weekday) in UTC, such as 0 3 * * * for 03:00 each day';
const schedules = [
  '',
  'daily',
  '@daily',
  '0 3 * *',
  '0 3 * * * *',
  '60 3 * * *',
  '0 24 * * *',
  '0 3 0 * *',
  '0 3 * 13 *',
  '0 3 * * 8',
  '0 3 * * */0',
  '0 3 * * */8',
  '0 3/2 * * *',
  '0 3 * MON *',
  '0 3 * * 1-FRI',
  '0  3 * * *',
];

/** The first six are a `date-time` to the API server. */
const moments = [
  '2026-11-22T10:00:00x5Z',
  '2026-11-22T10:00:00+99:99',
  '2026-11-22T10:00:00+14:01',
  '2026-11-22T10:00:00ZTevil',
  '2026-11-22t10:00:00z',
  '0026-11-22T10:00:00Z',
  '2026-02-31T10:00:00Z',
  '2026-11-31T10:00:00Z',
  '2026-02-29T10:00:00Z',
  '2100-02-29T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-11-22T24:00:00Z',
  '2026-11-22T10:00:60Z',
  '2026-11-22T10:00:00',
  '2026-11-22',
  'yesterday',
];

describe('line 12: refused', () => {
  test.each<readonly [message: string, spec: object]>([
    [
      'spec.replicas: Invalid value: 0: must be at least 1, so that an instance keeps the data; use 1 or more, or delete the Database',
      { replicas: 0 },
    ],
    ['spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9', { replicas: 10 }],
    [
      'spec.replicas: Invalid value: replicas 1 must leave at least 1 beside the primary to confirm commits; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
      { replicas: 1 },
    ],
    ['replicas 3 must leave at least 3 beside the primary', { synchronous: { replicas: 3 } }],
    ['spec.synchronous.replicas: Invalid value: 0', { synchronous: { replicas: 0 } }],
    [
      'spec.synchronous.mode: Unsupported value: "Always": supported values: "Quorum", "None"',
      { synchronous: { mode: 'Always' } },
    ],
    ['spec.version: Unsupported value: "16": supported values: "15"', { version: '16' }],
    ['spec.image: Invalid value: "a b"', { image: 'a b' }],
    ['spec.storage.size: Required value', { storage: {} }],
    [
      'spec.storage.size: Invalid value: "100Mi": must be at least 256Mi, the minimum for PostgreSQL',
      { storage: { size: '100Mi' } },
    ],
    ['spec.storage.size: Invalid value: "1 Gi": must be a size, such as 500Mi or 10Gi', { storage: { size: '1 Gi' } }],
    [
      'spec.backup.target.volume.size: Invalid value: "1GB": must be a size, such as 500Mi or 10Gi',
      { backup: { target: { volume: { size: '1GB' } } } },
    ],
    [
      'spec.resources.requests.cpu: Invalid value: "half": must be an amount of CPU, such as 500m or 2',
      { resources: { requests: { cpu: 'half' }, limits: { cpu: 1 } } },
    ],
    [
      'spec.resources.limits.memory: Invalid value: "1GB": must be an amount of memory, such as 512Mi or 1Gi',
      { resources: { requests: { memory: '2Gi' }, limits: { memory: '1GB' } } },
    ],
    [
      'spec.resources.requests.memory: Invalid value: must be at most limits.memory; lower requests.memory or raise limits.memory',
      { resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } },
    ],
    ['must be at most limits.cpu', { resources: { requests: { cpu: 2 }, limits: { cpu: '1500m' } } }],
    [
      'spec.parameters: Invalid value: key Max_Connections must be a parameter name in lower case, such as max_connections',
      { parameters: { Max_Connections: '1' } },
    ],
    ...Object.entries({ log_line_prefix: '%m\n[%p]', 'pg_stat_statements.track': 'top\t', search_path: '\x7f' }).map(
      ([name, value]) =>
        [
          `spec.parameters: Invalid value: parameter ${name} must not have a line break or another control character; write the value on one line`,
          { parameters: { max_connections: '1', [name]: value } },
        ] as const,
    ),
    ...owned.map(
      ([name, why]) =>
        [`spec.parameters: Forbidden: parameter ${name} ${why}`, { parameters: { [name]: '1' } }] as const,
    ),
    [
      'spec.bootstrap: Invalid value: must not have both initSql and restore; remove one of them',
      { bootstrap: { initSql: { configMapRef: { name: 'a' } }, restore: { from: { database: 'b' } } } },
    ],
    [
      'spec.bootstrap.restore.from: Invalid value: must have exactly one source; set database, backup or archive',
      { bootstrap: { restore: { from: {} } } },
    ],
    ['must have exactly one source', { bootstrap: { restore: { from: { database: 'a', backup: 'b' } } } }],
    [
      'must have exactly one source',
      { bootstrap: { restore: { from: { database: 'a', archive: { database: 'a', ...s3().target } } } } },
    ],
    [
      'spec.bootstrap.restore.from.database: Invalid value: must be another Database; give the new Database a name that differs from the old one',
      { bootstrap: { restore: { from: { database: 'orders' } } } },
    ],
    ...moments.map(
      (targetTime) =>
        [
          `spec.bootstrap.restore.targetTime: Invalid value: "${targetTime}": must be a date, a time and a time zone, such as 2026-11-21T13:00:00Z or 2026-11-21T14:00:00+01:00`,
          { bootstrap: { restore: { from: { backup: 'b' }, targetTime } } },
        ] as const,
    ),
    [
      'spec.bootstrap.database: Invalid value: "postgres": must not be a database that PostgreSQL itself creates; choose another name, such as app',
      { bootstrap: { database: 'postgres' } },
    ],
    ['spec.bootstrap.database: Invalid value: "my-app"', { bootstrap: { database: 'my-app' } }],
    [
      'spec.bootstrap.owner: Invalid value: "pg_monitor": must not be a role that PostgreSQL or the operator already has; choose another name, such as app',
      { bootstrap: { owner: 'pg_monitor' } },
    ],
    ['spec.backup.target: Required value', { backup: {} }],
    ['spec.backup.target: Invalid value: must have exactly one location; set volume or s3', { backup: { target: {} } }],
    ['must have exactly one location', { backup: { target: { ...volume.target, ...s3().target } } }],
    [
      'spec.backup.target.s3.endpoint: Invalid value: "https://store.example.com": must be a host without https:// and without a path, such as s3.eu-central-1.amazonaws.com',
      { backup: s3({ endpoint: 'https://store.example.com' }) },
    ],
    ['spec.backup.target.s3.bucket: Invalid value: "Backups"', { backup: s3({ bucket: 'Backups' }) }],
    ['spec.backup.target.s3.secretRef: Required value', { backup: s3({ secretRef: undefined }) }],
    ['spec.backup.retention.full: Invalid value: 0', { backup: { ...volume, retention: { full: 0 } } }],
    ['spec.backup.verify: Unsupported value: "Yearly"', { backup: { ...volume, verify: 'Yearly' } }],
    [
      'spec.backup.schedule: Invalid value: "0 0 30 2 *": must name a day that exists, so that a backup is due sometimes; use a day such as 1 or 28',
      { backup: { ...volume, schedule: '0 0 30 2 *' } },
    ],
    ...schedules.map((schedule) => [noSchedule.replace('%', schedule), { backup: { ...volume, schedule } }] as const),
    [
      'spec.backup: Required value: must be set if deletionPolicy is Snapshot; set backup.target, or set deletionPolicy to Retain or Delete',
      { backup: undefined },
    ],
    [
      'spec.finalSnapshot.deadline: Invalid value: "10s": must be from 1m to 168h',
      { finalSnapshot: { deadline: '10s' } },
    ],
    ['spec.deletionPolicy: Unsupported value: "Keep"', { deletionPolicy: 'Keep' }],
    ['unknown field "spec.replica"', { replica: 3 }],
  ])('%s', (message, spec) => refused(spec, message));

  test.each<readonly [message: string, spec: object]>([
    ['spec.storage.size: Invalid value: "1GB": must be a size, such as 500Mi or 10Gi', { storage: { size: '1GB' } }],
    [
      'spec.resources.limits.cpu: Invalid value: "half": must be an amount of CPU, such as 500m or 2',
      { resources: { requests: { cpu: 2 }, limits: { cpu: 'half' } } },
    ],
  ])('alone: %s', async (message, spec) => {
    expect((await tried(spec)).body.message).toBe(`Database.reconstruct.dev "orders" is invalid: ${message}`);
  });

  test('replicas: 0 has one error, without advice on a quorum', async () => {
    const { body } = await tried({ replicas: 0 });
    expect(body.message).not.toContain('beside the primary');
  });

  test.each(['Orders', '1orders', 'orders.v2', 'o'.repeat(41)])('the name %s', async (name) => {
    const answer = await tried({}, name);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.message).toMatch(/must have a name that its Services can have; use up to 40|metadata.name/);
  });
});

test.each<readonly [what: string, spec: object]>([
  ['one instance without synchronous replicas', { replicas: 1, synchronous: { mode: 'None' } }],
  ['as many confirmations as there are replicas', { replicas: 3, synchronous: { replicas: 2 } }],
  ['no backups and volumes that stay', { backup: undefined, deletionPolicy: 'Retain' }],
  ['values with spaces and letters of any kind', { parameters: { application_name: 'ein größerer Wert ~' } }],
  ['a parameter of an extension', { parameters: { 'pg_stat_statements.max': '1000' } }],
  ...[
    '2026-11-21T13:00:00Z',
    '2026-11-21T14:00:00.25+01:00',
    '2026-11-21T23:59:59.123456789-09:30',
    '2028-02-29T00:00:00+14:00',
    '2000-02-29T00:00:00Z',
  ].map(
    (targetTime) =>
      [`a restore to ${targetTime}`, { bootstrap: { restore: { from: { database: 'old' }, targetTime } } }] as const,
  ),
  ['a bucket', { backup: s3({ endpoint: '10.0.0.1:7070', path: '/shop/orders' }) }],
  ['a request without a limit', { resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: 2 } } }],
  ...['*/15 0-6,22-23 1,15 JAN-MAR,12 MON-FRI', '0 3 * * 0', '05 03 * * SUN,TUE-SAT/2'].map(
    (schedule) => [`the schedule ${schedule}`, { backup: { ...volume, schedule } }] as const,
  ),
])('accepted: %s', async (_what, spec) => {
  expect((await tried(spec)).body.message).toBeUndefined();
});

test('the last parameter is taken away by a server-side apply of none', async () => {
  const applied = (parameters: object) => server.applySpec(database, 'emptied', 'somebody', { ...least, parameters });
  expect((await applied({ max_connections: '200' })).body.message).toBeUndefined();
  const { body } = await applied({});
  expect(body.message).toBeUndefined();
  expect((body.spec as { parameters?: object }).parameters).toEqual({});
  await server.remove(database, 'emptied');
});
