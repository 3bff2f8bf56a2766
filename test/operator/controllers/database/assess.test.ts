import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { conditions } from '../../../../operator/controllers/database/conditions.js';
import { metrics } from '../../../../operator/controllers/database/metrics.js';
import { situationOf } from '../../../../operator/controllers/database/situation.js';
import { type LivePod, Pod } from '../../../../operator/runtime/index.js';
import { type Changes, databaseView } from './given-view.js';
import { now, position } from './instances/given-instances.js';

const said = (changes: Changes = {}) =>
  Object.fromEntries(
    Object.entries(assess(databaseView(changes)).conditions).map(([type, mark]) => [type, mark?.reason]),
  );
const well = {
  ...{ Provisioned: 'InstancesReady', Available: 'Serving', Replicated: 'Streaming' },
  ...{ UpToDate: 'UpToDate', Placed: 'Spread', Unsafe: undefined, Archived: 'ArchivingDisabled' },
};

const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
const waiting = (reason: string) => ({
  ...unready,
  containerStatuses: [{ name: 'postgres', ready: false, restartCount: 0, image: 'x', state: { waiting: { reason } } }],
});
const had = (type: string, reason: string) => ({ conditions: [{ type, reason, status: 'True' }] });
const archived = { backup: { target: { volume: {} } } };
const resizing = { status: { capacity: { storage: '512Mi' } } };
const lost = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
const streaming = { 'orders-2': { synchronous: false }, 'orders-3': { synchronous: false } };
const alone = { 'orders-2': { synchronous: true } };

describe('what is said of a Database', () => {
  test('is that all is well when it is', () => expect(said()).toEqual(well));

  test.each([
    { with: 'without backups', spec: {} },
    { with: 'with backups', spec: { backup: { target: { volume: {} } } } },
  ])('is every condition that Ready waits for, $with', ({ spec }) => {
    const awaited = Object.keys(conditions).filter((type) => !['Placed', 'Unsafe'].includes(type));
    expect(Object.keys(said({ spec })).filter((type) => said({ spec })[type] !== undefined)).toEqual(
      expect.arrayContaining(awaited),
    );
  });

  test('is that a node is lost also once Kubernetes has deleted the Pod on it, which does not end', () => {
    const view = databaseView({ nodes: { 'node-2': lost } });
    const pods = view.owned.of(Pod);
    const isOnIt = ({ metadata }: LivePod) => metadata.name === 'orders-2';
    const deletionTimestamp = '2030-01-01T00:00:00Z';
    const ending = pods.filter(isOnIt).map((pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp } }));
    const owned = {
      of: (kind: typeof Pod) => (kind === Pod ? pods.filter((pod) => !isOnIt(pod)) : view.owned.of(kind)),
    };
    const outcome = { ...view, owned, pruning: { of: () => ending } };
    const { conditions: found } = assess(outcome as unknown as typeof view);
    const message = 'orders-2 is not ready: its node node-2 is not ready';
    expect(found.Provisioned).toEqual({ reason: 'InstanceNotReady', message });
    expect(found.Placed).toMatchObject({ reason: 'NodeLost', message: expect.stringContaining('node-2 (orders-2)') });
  });

  test.each<{ is: object; when: string; changes: Changes }>([
    {
      is: { Provisioned: 'InstanceNotReady' },
      when: 'an image is not there',
      changes: { pods: { 'orders-3': waiting('ErrImagePull') } },
    },
    { is: { Provisioned: 'Provisioning' }, when: 'a pod starts', changes: { pods: { 'orders-3': unready } } },
    {
      is: { Provisioned: 'Provisioning', Replicated: 'Degraded' },
      when: 'one more is wanted',
      changes: { spec: { replicas: 4 }, status: had('Replicated', 'Streaming') },
    },
    {
      is: { Available: 'PrimaryNotReady', Provisioned: 'Provisioning' },
      when: 'the primary is not ready',
      changes: { status: had('Available', 'Serving'), pods: { 'orders-1': unready } },
    },
    {
      is: { Available: 'SplitBrain', Replicated: 'PrimaryStatusUnknown', Unsafe: 'SplitBrain' },
      when: 'two say that they lead',
      changes: { reports: { 'orders-2': { role: 'primary' } } },
    },
    { is: { Replicated: 'PrimaryStatusUnknown' }, when: 'nobody answers', changes: { reports: undefined } },
    {
      is: { Replicated: 'Degraded' },
      when: 'one does not stream',
      changes: { reports: { 'orders-1': { streaming: alone } } },
    },
    {
      is: { Replicated: 'TooFewSyncReplicas' },
      when: 'none is waited for',
      changes: { reports: { 'orders-1': { streaming } } },
    },
    {
      is: {},
      when: 'none is waited for, and need not be',
      changes: { spec: { synchronous: { mode: 'None' } }, reports: { 'orders-1': { streaming } } },
    },
    {
      is: { UpToDate: 'Restarting' },
      when: 'a parameter waits for a restart of the primary, which no change of primary brings',
      changes: { reports: { 'orders-1': { pendingRestart: true } } },
    },
    {
      is: { UpToDate: 'ParameterRefused' },
      when: 'an instance refuses a parameter, whatever else is under way',
      changes: { reports: { 'orders-2': { refused: { timezone: 'unknown' } }, 'orders-1': { pendingRestart: true } } },
    },
    {
      is: { Placed: 'NodeDraining' },
      when: 'a node is cordoned',
      changes: { nodes: { 'node-2': { spec: { unschedulable: true } } } },
    },
    {
      is: { Placed: 'NodeLost', Provisioned: 'InstanceNotReady' },
      when: 'a node is lost',
      changes: { nodes: { 'node-2': lost }, pods: { 'orders-2': unready } },
    },
    {
      is: { Placed: 'ZoneShared' },
      when: 'two are in one zone',
      changes: {
        nodes: { 'node-2': { metadata: { name: 'node-2', labels: { 'topology.kubernetes.io/zone': 'zone-1' } } } },
      },
    },
    { is: { Placed: 'NodesForbidden' }, when: 'nodes may not be seen', changes: { seesNodes: false } },
    {
      is: {},
      when: 'nodes may not be seen, and are told apart by their names',
      changes: { seesNodes: false, spec: { placement: { topologyKey: 'kubernetes.io/hostname' } } },
    },
    {
      is: { Placed: 'PlacementUnknown' },
      when: 'a node has no zone',
      changes: { nodes: { 'node-2': { metadata: { name: 'node-2' } } } },
    },
    {
      is: { Provisioned: 'VolumeNearlyFull' },
      when: 'a volume is nearly full',
      changes: { reports: { 'orders-3': { usedPercent: 95 } } },
    },
    {
      is: { Provisioned: 'VolumeNearlyFull', Available: 'PrimaryVolumeFull' },
      when: 'a volume is full, whatever becomes of its instance',
      changes: { pods: { 'orders-1': waiting('CrashLoopBackOff') }, reports: { 'orders-1': { usedPercent: 100 } } },
    },
    {
      is: { Provisioned: 'VolumeNearlyFull', Available: 'PrimaryVolumeFull' },
      when: 'the primary is full, and waits as a reader',
      changes: { reports: { 'orders-1': { usedPercent: 99, role: 'replica' } } },
    },
    {
      is: { Provisioned: 'Resizing' },
      when: 'a volume is nearly full, and being enlarged',
      changes: { reports: { 'orders-3': { usedPercent: 96 } }, claims: { 'orders-3': resizing } },
    },
    { is: {}, when: 'a volume has room', changes: { reports: { 'orders-3': { usedPercent: 90 } } } },
    { is: { Archived: 'Archiving' }, when: 'it has an archive', changes: { spec: archived } },
    {
      is: { Archived: 'Archiving' },
      when: 'the log waits for some minutes',
      changes: { spec: archived, reports: { 'orders-1': { unarchivedSince: now - 299_000 } } },
    },
    {
      is: { Archived: 'ArchivingFailing' },
      when: 'the log waits for five minutes',
      changes: { spec: archived, reports: { 'orders-1': { unarchivedSince: now - 300_000 } } },
    },
    {
      is: { Archived: 'Archiving' },
      when: 'a replica keeps what it was sent',
      changes: { spec: archived, reports: { 'orders-2': { unarchivedSince: now - 300_000 } } },
    },
    {
      is: { Archived: 'PrimaryStatusUnknown', Replicated: 'PrimaryStatusUnknown' },
      when: 'nobody answers, and there is an archive',
      changes: { spec: archived, reports: undefined },
    },
    {
      is: { Unsafe: 'UnreplicatedWrites', Provisioned: 'InstanceNotReady' },
      when: 'what is too much may hold what others lack',
      changes: {
        spec: { replicas: 2 },
        pods: { 'orders-3': waiting('CrashLoopBackOff') },
        reports: { 'orders-1': { streaming: alone }, 'orders-3': { timeline: 1 } },
      },
    },
  ])('is $is when $when', ({ is, changes }) => {
    expect(said(changes)).toEqual({ ...well, ...is });
  });

  test('line 5: is not current from a change of parameters on until every instance has taken them up', () => {
    const { parameters } = situationOf(databaseView());
    const current = (...taken: readonly (string | undefined)[]) => {
      const all = taken.map((one, index) => [`orders-${index + 1}`, one === undefined ? {} : { parameters: one }]);
      return assess(databaseView({ reports: Object.fromEntries(all) })).conditions.UpToDate;
    };
    expect(current('before', 'before', parameters)).toEqual({
      reason: 'Updating',
      message:
        'Waiting for orders-1 and orders-2 to apply parameters; limits of the log follow spec.storage.size, and cache sizes follow spec.resources',
    });
    expect(current(parameters, parameters, parameters)).toEqual({ reason: 'UpToDate' });
    // An older image does not tell.
    expect(current(undefined, undefined, undefined)).toEqual({ reason: 'UpToDate' });
  });

  test.each([
    { message: '2 of 2 replicas follow orders-1', when: 'all do', streaming },
    { message: '1 of 2 replicas follows orders-1; orders-3 does not', when: 'one does not', streaming: alone },
    { message: '0 of 2 replicas follow orders-1; orders-2 and orders-3 do not', when: 'none does', streaming: {} },
    { message: '2 of 3 replicas follow orders-1; 1 more to be created', when: 'one is wanted', streaming, replicas: 4 },
  ])('names who does not follow the primary: $message, when $when', ({ message, streaming, replicas = 3 }) => {
    const spec = { replicas, synchronous: { mode: 'None' as const } };
    const { Replicated } = assess(
      databaseView({ spec, status: had('Replicated', 'Streaming'), reports: { 'orders-1': { streaming } } }),
    ).conditions;
    expect(Replicated?.message).toBe(message);
  });

  test('names the instances with role, lag, zone, version and timeline, and the primary', () => {
    const behind = { position: position - 5 * 2 ** 20 };
    const { status } = assess(
      databaseView({ reports: { 'orders-2': { position: position - 100 }, 'orders-3': behind } }),
    );
    const common = { timeline: 2, version: '15.20' };
    expect(status).toMatchObject({ ready: '3/3', primary: 'orders-1', replicas: 3, readyReplicas: 3, ...common });
    const at = (serial: number) => ({
      name: `orders-${serial}`,
      node: `node-${serial}`,
      zone: `zone-${serial}`,
      ...common,
    });
    expect(status?.instances).toEqual([
      { ...at(1), role: 'Primary', state: 'running' },
      { ...at(2), role: 'Replica', state: 'streaming', lagBytes: 0, synchronous: true },
      { ...at(3), role: 'Replica', state: 'streaming', lagBytes: 4 * 2 ** 20, synchronous: false },
    ]);
  });

  test('line 6: since when the log waits is in the status, and is looked at again when it has waited for too long', () => {
    const at = (since: number) =>
      assess(databaseView({ spec: archived, reports: { 'orders-1': { unarchivedSince: since } } }));
    const behind = at(now - 300_000);
    expect(behind.status?.unarchivedSince).toBe(new Date(now - 300_000).toISOString().replace('.000', ''));
    expect(behind.requeueAfter).toBeUndefined();
    const soon = at(now - 200_000);
    expect(soon.status).not.toHaveProperty('unarchivedSince');
    expect(soon.requeueAfter).toBe(100_000);
  });

  test('line 8: what the log waits for is not forgotten while nobody tells', () => {
    const since = '2026-11-22T11:00:00Z';
    const status = { unarchivedSince: since };
    const kept = (reports: Changes['reports']) => assess(databaseView({ spec: archived, status, reports })).status;
    expect(kept(undefined)).toMatchObject({ unarchivedSince: since });
    expect(kept({})).not.toHaveProperty('unarchivedSince');
  });

  test('line 11: how full a volume is stays in the status while its instance does not answer', () => {
    const used = (changes: Changes) => assess(databaseView(changes)).status?.instances?.[2]?.usedPercent;
    expect(used({ reports: { 'orders-3': { usedPercent: 85 } } })).toBe(85);
    const status = { instances: [{ name: 'orders-3', role: 'Replica', state: 'running', usedPercent: 85 }] };
    expect(used({ status })).toBe(85);
    expect(used({})).toBeUndefined();
  });

  test('line 13: is what metrics tell, once it is written', () => {
    const { resource } = databaseView({
      status: {
        readyReplicas: 2,
        timeline: 7,
        unarchivedSince: '1970-01-01T00:01:00Z',
        instances: [{ lagBytes: 1, usedPercent: 95 }, {}, { lagBytes: 3, usedPercent: 5 }],
        conditions: [],
      },
    });
    const told = Object.entries(metrics).map(([name, { valueFrom }]) => [
      name.replace('reconstruct_database_', ''),
      valueFrom(resource),
    ]);
    const found = {
      instances_ready: 2,
      instances_desired: 3,
      has_primary: 0,
      timeline: 7,
      replication_lag_bytes: 3,
      volume_used_ratio: 0.95,
      unarchived_since_timestamp_seconds: 60,
    };
    expect(Object.fromEntries(told)).toEqual(found);
  });

  test.each([
    { before: 'orders-2', note: 'orders-1 replaced orders-2 as the primary' },
    { before: undefined, note: 'orders-1 became the primary' },
  ])('tells of another primary than $before', ({ before, note }) => {
    const status = { primary: before };
    expect(assess(databaseView({ status })).events).toEqual([{ type: 'Normal', reason: 'PrimaryChanged', note }]);
    expect(assess(databaseView({ status: { primary: 'orders-1' } })).events).toEqual([]);
  });
});
