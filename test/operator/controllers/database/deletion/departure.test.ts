import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatabaseBackupResource, DatabaseResource, DatabaseSpecInput } from '../../../../../imports/index.js';
import {
  type Departure,
  departureOf,
  leavesClaims,
  staysUp,
} from '../../../../../operator/controllers/database/deletion/departure.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';

const s3 = { endpoint: 's3.example.com', bucket: 'backups', secretRef: { name: 'bucket' } };
const bucket: Partial<DatabaseSpecInput> = { backup: { target: { s3 } } };
const abandon: Partial<DatabaseSpecInput> = { finalSnapshot: { onFailure: 'Abandon' } };
const skip = { 'reconstruct.dev/skip-final-snapshot': 'true' };

const deleted = (spec: Partial<DatabaseSpecInput> = {}, annotations = {}): DatabaseResource =>
  givenDatabase(spec, { meta: { deletionTimestamp: '2026-11-22T00:00:00Z', annotations } });
const without = ({ spec: { backup: _, ...spec }, ...resource }: DatabaseResource): DatabaseResource => ({
  ...resource,
  spec,
});
const snapshot = (status: DatabaseBackupResource['status'] = {}) =>
  givenBackup('orders-final-1', { spec: { origin: 'Snapshot' }, status });
const good = { label: 'F', verified: { result: 'RestoreSucceeded' as const } };
const closed = { ...good, closed: '2026-11-22T00:10:00Z' };
const bad = { label: 'F', verified: { result: 'RestoreFailed' as const } };

describe('line 8: a Database that is being deleted', () => {
  it.each<{
    is: Departure;
    when: string;
    resource?: DatabaseResource;
    snapshots?: DatabaseBackupResource[];
    complete?: DatabaseBackupResource[];
    isNamespaceEnding?: boolean;
    isEmpty?: boolean;
    isArchiveGoing?: boolean;
    volumes?: string[];
    minutes?: number;
  }>([
    { is: 'SnapshotNotNeeded', when: 'its volumes stay', resource: deleted({ deletionPolicy: 'Retain' }) },
    { is: 'SnapshotNotNeeded', when: 'all is to go', resource: deleted({ deletionPolicy: 'Delete' }) },
    { is: 'SnapshotNotNeeded', when: 'there is no place for a backup', resource: without(deleted()) },
    { is: 'SnapshotRunning', when: 'no backup is there yet' },
    { is: 'SnapshotRunning', when: 'the last backup is not made', snapshots: [snapshot()] },
    { is: 'SnapshotRunning', when: 'only an earlier backup is good', complete: [snapshot(good)] },
    { is: 'SnapshotVerifying', when: 'the last backup is made', snapshots: [snapshot({ label: 'F' })] },
    { is: 'Closing', when: 'the last backup is good', snapshots: [snapshot(good)] },
    { is: 'Closing', when: 'the last backup is good, however late', snapshots: [snapshot(good)], minutes: 600 },
    { is: 'Closing', when: 'a last backup is good, and one more was begun', snapshots: [snapshot(good), snapshot()] },
    {
      is: 'Abandoned',
      when: 'it cannot be closed in time, and may be given up',
      ...{ resource: deleted(abandon), snapshots: [snapshot(good)], minutes: 30 },
    },
    { is: 'SnapshotCompleted', when: 'the last backup is closed', snapshots: [snapshot(closed)] },
    {
      is: 'SnapshotCompleted',
      when: 'the last backup is closed, however late',
      snapshots: [snapshot(closed)],
      minutes: 600,
    },
    {
      is: 'SnapshotCompleted',
      when: 'one is closed, and one more was begun',
      snapshots: [snapshot(closed), snapshot()],
    },
    {
      is: 'SnapshotVerifying',
      when: 'one is closed that was not found good',
      snapshots: [snapshot({ ...closed, verified: {} })],
    },
    {
      is: 'SnapshotRunning',
      when: 'its archive is being deleted',
      snapshots: [snapshot(closed)],
      isArchiveGoing: true,
    },
    { is: 'SnapshotNotNeeded', when: 'nothing of it was ever there', isEmpty: true },
    { is: 'SnapshotVerifying', when: 'the last backup was bad', snapshots: [snapshot(bad)] },
    {
      is: 'SnapshotRunning',
      when: 'the last backup was bad, and another one is being made',
      snapshots: [snapshot(bad), snapshot()],
    },
    { is: 'Skipped', when: 'a person says so', resource: deleted({}, skip) },
    {
      is: 'SnapshotRunning',
      when: 'an annotation says otherwise',
      resource: deleted({}, { ...skip, 'reconstruct.dev/skip-final-snapshot': 'false' }),
    },
    { is: 'SnapshotFailed', when: 'time is up', minutes: 30 },
    { is: 'SnapshotRunning', when: 'time is not up', minutes: 29 },
    {
      is: 'SnapshotFailed',
      when: 'time is up while it is verified',
      snapshots: [snapshot({ label: 'F' })],
      minutes: 30,
    },
    { is: 'Abandoned', when: 'time is up, and it may be given up', resource: deleted(abandon), minutes: 30 },
    { is: 'SnapshotRunning', when: 'it may be given up later', resource: deleted(abandon), minutes: 29 },
    { is: 'NamespaceTerminating', when: 'its namespace goes too', isNamespaceEnding: true },
    {
      is: 'NamespaceTerminating',
      when: 'its namespace goes too, and time is up',
      isNamespaceEnding: true,
      minutes: 31,
    },
    {
      ...{ is: 'VolumesDeleted', when: 'its namespace is gone, and its volumes, and time is up' },
      ...{ isNamespaceEnding: true, volumes: [], minutes: 31 },
    },
    {
      ...{ is: 'NamespaceTerminating', when: 'its namespace is gone, and its volumes, and people may still read why' },
      ...{ isNamespaceEnding: true, volumes: [], minutes: 29 },
    },
    { is: 'SnapshotFailed', when: 'its volumes were deleted by hand', volumes: [], minutes: 31 },
    {
      is: 'Abandoned',
      when: 'its namespace goes too, and it may be given up',
      isNamespaceEnding: true,
      minutes: 31,
      resource: deleted(abandon),
    },
    {
      is: 'NamespaceTerminating',
      when: 'its namespace goes too, with the volume of good backups',
      isNamespaceEnding: true,
      complete: [snapshot(good)],
    },
    {
      is: 'NamespaceTerminating',
      when: 'its namespace goes too, and no backup in the bucket is known to be good',
      isNamespaceEnding: true,
      resource: deleted(bucket),
      complete: [snapshot({ label: 'F' })],
    },
    {
      is: 'ArchiveRetained',
      when: 'its namespace goes too, and a bucket has a good backup',
      isNamespaceEnding: true,
      resource: deleted(bucket),
      complete: [snapshot(good)],
    },
    {
      is: 'ArchiveRetained',
      when: 'its namespace goes too, and its good backup in a bucket has gone with it',
      isNamespaceEnding: true,
      resource: { ...deleted(bucket), status: { backup: { lastVerified: '2026-11-21T04:00:00Z' } } },
    },
    {
      is: 'ArchiveRetained',
      when: 'its namespace goes too, and its good backup in a bucket before the others',
      isNamespaceEnding: true,
      resource: { ...deleted(bucket), status: { backup: { lastVerified: '2026-11-21T04:00:00Z' } } },
      complete: [snapshot({ label: 'F' })],
    },
    {
      is: 'NamespaceTerminating',
      when: 'its namespace goes too, and the log since a good backup does not reach the bucket',
      isNamespaceEnding: true,
      resource: { ...deleted(bucket), status: { unarchivedSince: '2026-11-21T23:00:00Z' } },
      complete: [snapshot(good)],
    },
  ])(
    'is $is when $when',
    ({ is, resource = deleted(), snapshots = [], complete = [], isNamespaceEnding = false, ...rest }) => {
      const { volumes = ['pvc-1'], minutes = 1, isEmpty = false, isArchiveGoing = false } = rest;
      const now = Date.parse('2026-11-22T00:00:00Z') + minutes * 60_000;
      const about = { resource, snapshots, complete, isNamespaceEnding, isEmpty, isArchiveGoing, volumes, now };
      expect(departureOf(about)).toBe(is);
    },
  );

  const said = (
    resource: DatabaseResource,
    reason: string,
    status: 'True' | 'False' | 'Unknown',
  ): DatabaseResource => ({
    ...resource,
    status: {
      conditions: [
        {
          type: 'Deletable',
          status,
          reason,
          message: '',
          observedGeneration: 1,
          lastTransitionTime: '2026-11-22T00:00:00Z',
        },
      ],
    },
  });

  it.each<{ up: boolean; claims: 'stay' | 'go'; when: string; resource: DatabaseResource }>([
    { up: true, claims: 'go', when: 'it is not being deleted, and a claim is scaled away', resource: givenDatabase() },
    { up: true, claims: 'stay', when: 'nothing is known yet', resource: deleted() },
    {
      up: true,
      claims: 'stay',
      when: 'its data is being saved',
      resource: said(deleted(), 'SnapshotRunning', 'Unknown'),
    },
    {
      up: true,
      claims: 'stay',
      when: 'its data could not be saved',
      resource: said(deleted(), 'SnapshotFailed', 'False'),
    },
    {
      up: true,
      claims: 'stay',
      when: 'a status says what it does not mean',
      resource: said(deleted(), 'SnapshotRunning', 'True'),
    },
    { up: true, claims: 'stay', when: 'its instances stop', resource: said(deleted(), 'Closing', 'Unknown') },
    { up: false, claims: 'go', when: 'its data is saved', resource: said(deleted(), 'SnapshotCompleted', 'True') },
    { up: false, claims: 'go', when: 'its volumes are gone', resource: said(deleted(), 'VolumesDeleted', 'True') },
    { up: false, claims: 'go', when: 'its data is given up', resource: said(deleted(), 'Abandoned', 'True') },
    {
      up: false,
      claims: 'go',
      when: 'a person gives it up, whatever was said',
      resource: said(deleted({}, skip), 'SnapshotRunning', 'Unknown'),
    },
    { up: false, claims: 'stay', when: 'its volumes are to stay', resource: deleted({ deletionPolicy: 'Retain' }) },
    { up: false, claims: 'go', when: 'all is to go', resource: deleted({ deletionPolicy: 'Delete' }) },
    { up: false, claims: 'stay', when: 'there is no place for a backup', resource: without(deleted()) },
  ])('is up: $up, and its claims $claims, when $when', ({ up, claims, resource }) => {
    expect(staysUp(resource)).toBe(up);
    expect(leavesClaims(resource) ? 'stay' : 'go').toBe(claims);
  });

  const policies = fc.constantFrom<DatabaseSpecInput['deletionPolicy']>('Snapshot', 'Retain', 'Delete');
  const reasons = fc.constantFrom(
    'SnapshotCompleted',
    'SnapshotRunning',
    'SnapshotVerifying',
    'Closing',
    'NamespaceTerminating',
    'SnapshotFailed',
    'Else',
    'Abandoned',
  );
  const truths = fc.constantFrom<'True' | 'False' | 'Unknown'>('True', 'False', 'Unknown');

  it('deletes no claim unless all is to go, a person says so, or the data is said to be saved or given up', () => {
    fc.assert(
      fc.property(policies, reasons, truths, fc.boolean(), (deletionPolicy = 'Snapshot', reason, truth, isSkipped) => {
        const resource = said(deleted({ deletionPolicy }, isSkipped ? skip : {}), reason, truth);
        if (leavesClaims(resource) || staysUp(resource)) return true;
        const isFreed = truth === 'True' && (reason === 'SnapshotCompleted' || reason === 'Abandoned');
        return deletionPolicy === 'Delete' || isSkipped || (deletionPolicy === 'Snapshot' && isFreed);
      }),
    );
  });
});
