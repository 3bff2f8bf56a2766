import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { figures } from '../../../../operator/controllers/database/figures.js';
import { position } from './given-instances.js';
import { type Changes, databaseView } from './given-view.js';

const said = (changes: Changes = {}) =>
  Object.fromEntries(
    Object.entries(assess(databaseView(changes)).conditions).map(([type, mark]) => [type, mark?.reason]),
  );
const well = {
  ...{ Provisioned: 'Complete', Available: 'Serving', Replicated: 'Streaming' },
  ...{ Current: 'UpToDate', Placed: 'Spread', Unsafe: undefined },
};

const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
const waiting = (reason: string) => ({
  ...unready,
  containerStatuses: [{ name: 'postgres', ready: false, restartCount: 0, image: 'x', state: { waiting: { reason } } }],
});
const lost = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
const streaming = { 'orders-2': { synchronous: false }, 'orders-3': { synchronous: false } };
const alone = { 'orders-2': { synchronous: true } };

describe('what is said of a Database', () => {
  test('is that all is well when it is', () => expect(said()).toEqual(well));

  test.each<{ is: object; when: string; changes: Changes }>([
    {
      is: { Provisioned: 'Impeded' },
      when: 'an image is not there',
      changes: { pods: { 'orders-3': waiting('ErrImagePull') } },
    },
    { is: { Provisioned: 'Provisioning' }, when: 'a pod starts', changes: { pods: { 'orders-3': unready } } },
    {
      is: { Provisioned: 'Provisioning', Replicated: 'Degraded' },
      when: 'one more is wanted',
      changes: { spec: { replicas: 4 } },
    },
    {
      is: { Available: 'PrimaryNotReady', Provisioned: 'Provisioning' },
      when: 'the primary is not ready',
      changes: { pods: { 'orders-1': unready } },
    },
    {
      is: { Available: 'TwoPrimaries', Replicated: 'NotTold', Unsafe: 'Split' },
      when: 'two say that they lead',
      changes: { reports: { 'orders-2': { role: 'primary' } } },
    },
    { is: { Replicated: 'NotTold' }, when: 'nobody answers', changes: { reports: undefined } },
    {
      is: { Replicated: 'Degraded' },
      when: 'one does not stream',
      changes: { reports: { 'orders-1': { streaming: alone } } },
    },
    {
      is: { Replicated: 'Unconfirmed' },
      when: 'none is waited for',
      changes: { reports: { 'orders-1': { streaming } } },
    },
    {
      is: {},
      when: 'none is waited for, and need not be',
      changes: { spec: { synchronous: { mode: 'None' } }, reports: { 'orders-1': { streaming } } },
    },
    {
      is: { Current: 'Restarting' },
      when: 'a parameter waits for a restart of the primary, which no change of primary brings',
      changes: { reports: { 'orders-1': { pendingRestart: true } } },
    },
    {
      is: { Placed: 'Draining' },
      when: 'a node is cordoned',
      changes: { nodes: { 'node-2': { spec: { unschedulable: true } } } },
    },
    {
      is: { Placed: 'NodeLost', Provisioned: 'Impeded' },
      when: 'a node is lost',
      changes: { nodes: { 'node-2': lost }, pods: { 'orders-2': unready } },
    },
    {
      is: { Placed: 'Shared' },
      when: 'two are in one zone',
      changes: {
        nodes: { 'node-2': { metadata: { name: 'node-2', labels: { 'topology.kubernetes.io/zone': 'zone-1' } } } },
      },
    },
    { is: { Placed: 'NodesHidden' }, when: 'nodes may not be seen', changes: { seesNodes: false } },
    {
      is: {},
      when: 'nodes may not be seen, and are told apart by their names',
      changes: { seesNodes: false, spec: { placement: { topologyKey: 'kubernetes.io/hostname' } } },
    },
    {
      is: { Placed: 'Unseen' },
      when: 'a node has no zone',
      changes: { nodes: { 'node-2': { metadata: { name: 'node-2' } } } },
    },
    {
      is: { Unsafe: 'Refused', Provisioned: 'Impeded' },
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

  test('line 13: is what metrics tell, once it is written', () => {
    const { resource } = databaseView({
      status: { readyReplicas: 2, timeline: 7, instances: [{ lagBytes: 1 }, {}, { lagBytes: 3 }], conditions: [] },
    });
    const told = Object.entries(figures).map(([name, { of }]) => [
      name.replace('reconstruct_database_', ''),
      of(resource),
    ]);
    const found = { instances_ready: 2, instances_wanted: 3, has_primary: 0, timeline: 7, replication_lag_bytes: 3 };
    expect(Object.fromEntries(told)).toEqual(found);
  });

  test.each([
    { before: 'orders-2', note: 'orders-1 is the primary, after orders-2' },
    { before: undefined, note: 'orders-1 is the primary' },
  ])('tells of another primary than $before', ({ before, note }) => {
    const status = { primary: before };
    expect(assess(databaseView({ status })).events).toEqual([{ type: 'Normal', reason: 'PrimaryChanged', note }]);
    expect(assess(databaseView({ status: { primary: 'orders-1' } })).events).toEqual([]);
  });
});
