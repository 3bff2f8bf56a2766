import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import type { DatabaseSpecInput } from '../../../../imports/index.js';
import { parseYaml } from '../../../../operator/yaml/parse-yaml.js';
import { dynamicConfig, patroniConfig } from '../../../../src/database/config/patroni-config.js';
import { patroniLabels } from '../../../../src/database/naming/identity.js';
import { parametersRevision } from '../../../../src/index.js';

const specOf = (spec: Partial<DatabaseSpecInput> = {}) =>
  withDefaults(databaseSpec, { storage: { size: '10Gi' }, deletionPolicy: 'Retain', ...spec });
const backup = { target: { volume: {} } };
const dynamic = (spec?: Partial<DatabaseSpecInput>) => dynamicConfig('orders', specOf(spec));
const parameters = (spec?: Partial<DatabaseSpecInput>) => dynamic(spec).postgresql.parameters;

describe('a commit', () => {
  test.each([
    { waits: 'for one replica, come what may', synchronous: {}, is: [true, true, 1] },
    { waits: 'for two', synchronous: { replicas: 2 }, is: [true, true, 2] },
    { waits: 'as long as there is one', synchronous: { durability: 'Preferred' }, is: [true, false, 1] },
    { waits: 'for none', synchronous: { mode: 'None' }, is: [false, false, 1] },
  ] as const)('waits $waits when synchronous is $synchronous', ({ synchronous, is }) => {
    const { synchronous_mode, synchronous_mode_strict, synchronous_node_count } = dynamic({ synchronous });
    expect([synchronous_mode, synchronous_mode_strict, synchronous_node_count]).toEqual(is);
  });

  test('is not held up for longer than a replica may be silent', () => {
    expect(parameters()).toMatchObject({ wal_sender_timeout: '10s', wal_receiver_status_interval: '2s' });
  });
});

test('line 5: instances say which parameters they have taken up by what stands beside these, another one for others', () => {
  const taken = (spec?: Partial<DatabaseSpecInput>) => dynamic(spec).reconstruct.parameters;
  expect(taken()).toBe(parametersRevision('orders', specOf()));
  expect(taken({ parameters: { max_connections: '200' } })).not.toBe(taken());
  expect(taken({ replicas: 5, synchronous: { mode: 'None' } })).toBe(taken());
});

describe('the primary', () => {
  test('keeps its place by a word in time: Patroni refuses a ttl that its waiting could outlast', () => {
    const { ttl, loop_wait, retry_timeout } = dynamic();
    expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
  });

  test('goes on without the API server as long as its replicas are with it', () => {
    expect(dynamic().failsafe_mode).toBe(true);
  });
});

test('data that differs from the primary is never removed by Patroni', () => {
  expect(dynamic().postgresql).toMatchObject({
    use_pg_rewind: true,
    remove_data_directory_on_rewind_failure: false,
    remove_data_directory_on_diverged_timelines: false,
  });
});

describe('no other Pod can connect', () => {
  const rules = dynamic().postgresql.pg_hba;

  test('without TLS and a password', () => {
    const remote = rules.filter((rule) => !rule.startsWith('local '));
    expect(remote.filter((rule) => !/^hostssl .* scram-sha-256$/.test(rule))).toEqual([]);
  });

  test('and only the superuser without a password in the own pod', () => {
    expect(rules.filter((rule) => !rule.endsWith(' scram-sha-256'))).toEqual(['local all postgres peer']);
  });
});

describe('line 12: parameters of the user', () => {
  test('are taken over those of the operator', () => {
    expect(parameters({ parameters: { jit: 'on', max_connections: '50' } })).toMatchObject({
      jit: 'on',
      max_connections: '50',
    });
  });

  test('are not taken where the operator arranges things, if the API server ever let them pass', () => {
    expect(parameters({ parameters: { ssl: 'off', archive_command: 'rm %p', archive_mode: 'off' } })).toMatchObject({
      ssl: 'on',
      archive_command: '/bin/true',
      archive_mode: 'on',
    });
  });
});

describe('line 6: the log', () => {
  test('is archived, each minute at the latest, and read from there, where there are backups', () => {
    expect(dynamic({ backup }).postgresql).toMatchObject({
      parameters: {
        archive_command: 'pgbackrest --stanza=orders --io-timeout=5 archive-push %p',
        archive_timeout: '60s',
      },
      recovery_conf: { restore_command: 'pgbackrest --stanza=orders --io-timeout=5 archive-get %f "%p"' },
    });
  });

  test('is not waited for: a primary that starts or stops while the archive is away is held up by seconds, not minutes', () => {
    const { parameters, recovery_conf } = dynamic({ backup }).postgresql;
    for (const command of [parameters['archive_command'], recovery_conf['restore_command']])
      expect(command).toContain(' --io-timeout=5 ');
  });

  test('is not kept for an archive that is not there', () => {
    expect(dynamic().postgresql).toMatchObject({
      parameters: { archive_command: '/bin/true', archive_timeout: '0' },
      recovery_conf: {},
    });
  });

  test('begins to be archived without a restart', () => {
    expect(parameters({ backup })['archive_mode']).toBe(parameters()['archive_mode']);
  });
});

describe('the settings that follow the size', () => {
  test.each([
    { size: '256Mi', max_wal_size: '64MB', wal_keep_size: '32MB', max_slot_wal_keep_size: '64MB' },
    { size: '1Gi', max_wal_size: '128MB', wal_keep_size: '128MB', max_slot_wal_keep_size: '256MB' },
    { size: '100Gi', max_wal_size: '1024MB', wal_keep_size: '1024MB', max_slot_wal_keep_size: '16384MB' },
  ])('of a volume of $size', ({ size, ...expected }) => {
    expect(parameters({ storage: { size } })).toMatchObject(expected);
  });

  test.each(['256Mi', '512Mi', '1Gi', '7Gi', '2Ti'])('leaves more than half of a volume of %s to the data', (size) => {
    const of = parameters({ storage: { size } });
    const log = ['max_wal_size', 'wal_keep_size', 'max_slot_wal_keep_size'].map((name) =>
      Number.parseInt(of[name] ?? '', 10),
    );
    const [whole = 0] = [size].map(
      (text) => Number.parseInt(text, 10) * { Mi: 1, Gi: 1024, Ti: 1024 ** 2 }[text.slice(-2) as 'Mi'],
    );
    expect(Math.max(...log)).toBeLessThan(whole / 2);
  });

  test.each([
    { resources: {}, shared_buffers: undefined },
    { resources: { requests: { memory: '256Mi' } }, shared_buffers: '64MB' },
    { resources: { requests: { memory: '256Mi' }, limits: { memory: '2Gi' } }, shared_buffers: '512MB' },
    { resources: { limits: { memory: '64Mi' } }, shared_buffers: '32MB' },
  ])('of memory, where resources are $resources', ({ resources, shared_buffers }) => {
    expect(parameters({ resources })['shared_buffers']).toBe(shared_buffers);
  });
});

describe('patroni.yaml', () => {
  const file = parseYaml(patroniConfig('orders', specOf({ backup })));

  test('starts with the settings of all instances', () => {
    expect(file.bootstrap.dcs).toEqual(dynamic({ backup }));
  });

  test('finds the instances by their labels, and keeps its notes in ConfigMaps', () => {
    expect(file.kubernetes).toEqual({
      use_endpoints: false,
      labels: patroniLabels('orders'),
      scope_label: 'cluster-name',
      role_label: 'role',
    });
  });

  test('has no password, and asks for a certificate whoever wants something done', () => {
    expect(JSON.stringify(file)).not.toMatch(/"password"/);
    expect(file.restapi.verify_client).toBe('optional');
  });

  test.each(['superuser', 'replication', 'rewind'])('verifies the certificate of the server: %s', (who) => {
    expect(file.postgresql.authentication[who]).toMatchObject({ sslmode: 'verify-ca' });
  });
});
