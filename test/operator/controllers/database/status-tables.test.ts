import { describe, expect, it } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import type { DatabaseResource } from '../../../../imports/index.js';
import { statusTables as backupTables } from '../../../../operator/controllers/database/backup-schedule/status-tables.js';
import { backups, database as controller } from '../../../../operator/controllers/database/index.js';
import { statusTables } from '../../../../operator/controllers/database/status-tables.js';
import { live } from '../../../given.js';

const now = Date.parse('2026-11-22T12:00:00Z');
const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database' };

function database(status: object, { backup, ...metadata }: { backup?: object | null; [field: string]: unknown } = {}) {
  const input = { storage: { size: '1Gi' }, ...(backup !== null && { backup: { target: { volume: {} }, ...backup } }) };
  const spec = withDefaults(databaseSpec, input as Parameters<typeof withDefaults<typeof databaseSpec>>[1]);
  const resource = { ...object, metadata: { name: 'orders', namespace: 'shop' }, spec, status };
  return live(resource, metadata) as unknown as DatabaseResource;
}

const pod = (name: string, status: object) =>
  live({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, status });

describe('the tables of a Database', () => {
  const following = { name: 'orders-2', role: 'Replica', state: 'streaming', zone: 'b', node: 'node-2', timeline: 4 };
  const status = {
    ...{ primary: 'orders-1', ready: '2/3', version: '15.20', timeline: 4 },
    instances: [
      { ...{ name: 'orders-1', role: 'Primary', state: 'running' }, zone: 'a', node: 'node-1', timeline: 4 },
      { ...following, synchronous: true, lagBytes: 0, usedPercent: 95 },
      { name: 'orders-3', role: 'Unknown', state: 'starting', lagBytes: 2 ** 24, timeline: 3, position: '0/5000060' },
    ],
  };
  const crashing = { name: 'postgres', restartCount: 7, state: { waiting: { reason: 'CrashLoopBackOff' } } };
  const pods = [
    pod('orders-1', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
    pod('orders-3', { phase: 'Running', containerStatuses: [crashing] }),
  ];
  const [summary, instances] = statusTables({ resource: database(status), objects: pods, now });

  it('begin with the primary, and how many instances are ready', () => {
    expect(summary).toEqual({ rows: [{ PRIMARY: 'orders-1', READY: '2/3', VERSION: '15.20', TIMELINE: 4 }] });
  });

  it('show each instance with its Pod, place, lag and volume', () => {
    const [primary, replica, broken] = instances?.rows ?? [];
    expect(instances?.title).toBe('Instances');
    expect(primary).toEqual({
      ...{ INSTANCE: 'orders-1', ROLE: 'Primary', STATE: 'running', POD: 'Ready', RESTARTS: undefined, ZONE: 'a' },
      ...{ NODE: 'node-1', LAG: undefined, TIMELINE: 4, POSITION: undefined, USED: undefined },
    });
    expect(replica).toMatchObject({ ROLE: 'Replica (synchronous)', POD: undefined, LAG: '< 1 MiB', USED: '95 %' });
    expect(broken).toMatchObject({ ROLE: 'Unknown', POD: 'CrashLoopBackOff', RESTARTS: 7, TIMELINE: 3 });
    expect(broken).toMatchObject({ LAG: '>= 16 MiB', POSITION: '0/5000060' });
  });

  it('have no instances before the first status', () => {
    const rows = [{ PRIMARY: undefined, READY: undefined, VERSION: undefined, TIMELINE: undefined }];
    expect(statusTables({ resource: database({ observedGeneration: -1 }), objects: [], now })).toEqual([{ rows }]);
  });
});

it('the tables of a Database and of its backups are both shown', () => {
  expect([controller.tables, backups.tables]).toEqual([statusTables, backupTables]);
});

describe('the tables of the backups of a Database', () => {
  const tablesOf = (resource: DatabaseResource) => backupTables({ resource, objects: [], now });
  const archived = (reason: string) => ({ conditions: [{ type: 'Archived', status: 'True', reason, message: '' }] });

  it('show the age of the last backups, and when the next one is due', () => {
    const backup = {
      ...{ last: '2026-11-22T03:00:00Z', lastVerified: '2026-11-20T03:00:00Z' },
      firstRecoverable: '2026-11-10T03:00:00Z',
    };
    expect(tablesOf(database({ backup, ...archived('Archiving') }))).toEqual([
      {
        title: 'Backups',
        rows: [
          {
            ...{ 'LAST BACKUP': '9h ago', 'LAST VERIFIED': '2d9h ago', 'NEXT BACKUP': 'in 15h' },
            ...{ 'RESTORABLE SINCE': '12d ago', 'ARCHIVE DELAY': '< 5m' },
          },
        ],
      },
    ]);
  });

  it.each([
    { delay: '3h', when: 'the log does not reach the archive', status: { unarchivedSince: '2026-11-22T09:00:00Z' } },
    { delay: '0s', when: 'the clock of the user is behind', status: { unarchivedSince: '2026-11-22T12:00:09Z' } },
    { delay: undefined, when: 'the primary does not respond', status: archived('PrimaryStatusUnknown') },
  ])('show a delay of the archive of $delay if $when', ({ status, delay }) => {
    expect(tablesOf(database(status))[0]?.rows[0]?.['ARCHIVE DELAY']).toBe(delay);
  });

  it('show the final backup of a Database that is being deleted, and no next one', () => {
    const snapshot = {
      ...{ name: 'orders-final', state: 'Failed', started: '2026-11-22T11:00:00Z', deadline: '2026-11-23T12:00:00Z' },
      problem: 'the bucket is missing',
    };
    const [backups, last] = tablesOf(database({ snapshot }, { deletionTimestamp: '2026-11-22T11:00:00Z' }));
    expect(backups?.rows[0]?.['NEXT BACKUP']).toBeUndefined();
    expect(last).toEqual({
      title: 'Final backup',
      rows: [
        {
          ...{ BACKUP: 'orders-final', STATE: 'Failed', STARTED: '1h ago', FINISHED: '-', VERIFIED: '-' },
          ...{ DEADLINE: 'in 1d', PROBLEM: 'the bucket is missing' },
        },
      ],
    });
  });

  it.each([
    { when: 'the schedule is never due', schedule: '0 0 30 2 *' },
    { when: 'the schedule is invalid', schedule: 'daily' },
  ])('show no next backup if $when', ({ schedule }) => {
    expect(tablesOf(database({}, { backup: { schedule } }))[0]?.rows[0]?.['NEXT BACKUP']).toBeUndefined();
  });

  it('are empty for a Database without backups', () => {
    expect(tablesOf(database({}, { backup: null }))).toEqual([]);
  });
});
