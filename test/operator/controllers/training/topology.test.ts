import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { desire } from '../../../../operator/controllers/training/desire.js';
import { demandOf } from '../../../../operator/controllers/training/gang/demand.js';
import { planOf } from '../../../../operator/controllers/training/plan/index.js';
import type { CapacityAnswer } from '../../../../operator/controllers/training/ports/capacity.js';
import { hasRoomFor } from '../../../../operator/controllers/training/room/claims.js';
import type { Demand } from '../../../../operator/controllers/training/room/places.js';
import type { Situation } from '../../../../operator/controllers/training/situation.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { gangsOf, type ListedWorker } from '../../../../operator/engines/training/gangs.js';
import { type ObjectKind, Pod } from '../../../../operator/runtime/index.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
import { demand, fault, gated, memory, nothing, now, room, situation, worker } from './given-training.js';

const together = { ...demand, topologyKey: 'rack' };
const spec = { topology: { key: 'rack', policy: 'Required' } };
/** Free cores of a node in each rack. A worker needs two. */
const racks = (...nodes: readonly (readonly [rack: string | undefined, cpu: number])[]): CapacityAnswer => ({
  nodes: nodes.map(([rack, cpu], index) => ({
    ...{
      name: `node-${index}`,
      labels: (rack === undefined ? {} : { rack }) as Readonly<Record<string, string>>,
      taints: [],
      free: { cpu, pods: 10 },
    },
  })),
  opening: [],
});
const waiting = [0, 1, 2].map((index) => gated(index));
const unplaced = (index: number, domain?: string) => worker(index, { phase: 'Pending', node: undefined, domain });
const held = (index: number, domain = 'a') => worker(index, { domain });
const keep = ['keep 0-0 gated', 'keep 1-0 gated', 'keep 2-0 gated'];

function planned(given: Situation, wanted: Demand = together): readonly string[] {
  const { pods, queued } = planOf(given, wanted);
  return [
    ...pods.map(
      ({ act, index, attempt, isGated, domain }) =>
        `${act} ${index}-${attempt}${isGated ? ' gated' : ''}${domain === undefined ? '' : ` in ${domain}`}`,
    ),
    ...(queued === undefined ? [] : [`queued: ${queued}`]),
  ];
}

describe('a job whose workers must be close together', () => {
  const new_ = (changes: Parameters<typeof situation>[0]) =>
    situation({ spec, workers: waiting, memory: nothing, report: undefined, ...changes });
  const opensIn = (rack: string) => [0, 1, 2].map((index) => `open ${index}-0 in ${rack}`);
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['starts where all fit', { room: racks(['a', 4], ['b', 6]) }, opensIn('b')],
    ['starts on several nodes with one value', { room: racks(['b', 4], ['a', 4], ['b', 2]) }, opensIn('b')],
    ['leaves larger room free', { room: racks(['a', 20], ['b', 6], ['c', 8]) }, opensIn('b')],
    [
      'waits while none has room for all',
      { room: racks(['a', 2], ['b', 4]) },
      [
        ...keep,
        'queued: no nodes with the same label rack have room for all workers; those with rack=b have the most, for 2 of 3',
      ],
    ],
    [
      'waits for nodes with the label',
      { room: racks([undefined, 20], ['a', 1]) },
      [...keep, 'queued: no node with the label rack has room for a worker'],
    ],
    [
      'does not start without the labels of the nodes',
      { roomUnknownSince: now - 60_000 },
      [...keep, 'queued: the operator cannot read the nodes, and topology.policy Required needs their labels'],
    ],
    [
      'goes on where a killed operator has opened a gate',
      { workers: [unplaced(0, 'a'), gated(1), gated(2)], room: racks(['a', 6], ['b', 4]) },
      ['keep 0-0', 'open 1-0 in a', 'open 2-0 in a'],
    ],
    [
      'waits there for room',
      { workers: [unplaced(0, 'a'), gated(1), gated(2)], room: racks(['a', 2], ['b', 20]) },
      ['keep 0-0', 'keep 1-0 gated', 'keep 2-0 gated', 'queued: the nodes with rack=a have room for 1 of 2 workers'],
    ],
    [
      'can start elsewhere after it gave its nodes back',
      {
        workers: [
          ...[0, 1, 2].map((index) => held(index)),
          ...[0, 1, 2].map((index) => gated(index, { attempt: 1, incarnation: 1 })),
        ],
        memory: { ...nothing, incarnation: 1 },
        room: racks(['a', 0], ['b', 6]),
      },
      [0, 1, 2].map((index) => `open ${index}-1 in b`),
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(new_(changes))).toEqual(expected);
  });

  const lost = memory({ faults: [fault('pod-uid-2-0')] });
  test('gets a replacement beside the others', () => {
    const given = situation({ spec, workers: [held(0, 'b'), held(1, 'b')], memory: lost, room: racks(['a', 20]) });
    expect(planned(given)).toEqual(['keep 0-0', 'keep 1-0', 'create 2-0 in b']);
  });
  test('gets no further worker elsewhere', () => {
    const given = situation({
      spec: { ...spec, minWorkers: 2 },
      workers: [held(0), held(1), gated(2, { attempt: 1, created: '2026-11-27T10:00:00Z' })],
      memory: memory({ members: memory().members.slice(0, 2) }),
      room: racks(['b', 20], ['a', 1]),
    });
    expect(planned(given)).toContain('queued: the nodes with rack=a have room for 0 of 1 workers');
    expect(planned({ ...given, room: racks(['b', 20], ['a', 2]) })).toContain('open 2-1 in a');
  });
  test('waits with a gate while no Pod has a place', () => {
    const given = situation({ spec, workers: [worker(0), worker(1)], memory: lost });
    expect(planned(given)).toContain('create 2-0 gated');
  });
  test('has its room in one place for jobs of a lower priority too', () => {
    const needs = { requests: demand.requests, topologyKey: 'rack' };
    const fits = ({ nodes }: CapacityAnswer) => hasRoomFor({ needs, workers: 3 }, nodes);
    expect([fits(racks(['a', 4], ['b', 2])), fits(racks(['a', 4], ['a', 2]))]).toEqual([false, true]);
  });
  test('is known so to other jobs', () => {
    const listed = (index: number): ListedWorker => ({
      ...{ namespace: 'ml', job: 'ranking', name: `ranking-${index}-0`, created: '', priority: 0, isGated: true },
      ...{ owner: 'uid', isEnding: false, needs: { requests: demand.requests } },
    });
    const job = { namespace: 'ml', job: 'ranking', uid: 'uid', workers: 2, spares: 0, minWorkers: 2, members: [] };
    const needsOf = (changes: object) => gangsOf([listed(0), listed(1)], [{ ...job, ...changes }]).queued[0]?.needs;
    expect(needsOf({ topologyKey: 'rack' })).toEqual({ requests: demand.requests, topologyKey: 'rack' });
    expect(needsOf({})).toEqual({ requests: demand.requests });
  });
});

test('a job whose workers should be close together starts anywhere', () => {
  const preferred = specOf({ topology: { key: 'rack' }, workers: 3 });
  const wanted = demandOf({ resource: { spec: preferred } as never }, nothing);
  expect(wanted.topologyKey).toBeUndefined();
  const given = situation({
    spec: preferred,
    workers: waiting,
    memory: nothing,
    report: undefined,
    room: room(2, 2, 2),
  });
  expect(planned(given, { ...wanted, requests: demand.requests })).toEqual(['open 0-0', 'open 1-0', 'open 2-0']);
});

test('a gate opens together with the choice of the nodes, which the Pod tells later', () => {
  const input = specOf({ ...spec, workers: 2, recovery: 'Restart', podTemplate: { nodeSelector: { pool: 'gpu' } } });
  const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid' };
  const revision = trainingRevision({ ...metadata, spec: input });
  const rendered = (nodeSelectors: readonly object[], nodes: CapacityAnswer) => {
    const pods = nodeSelectors.map((nodeSelector, index) => ({
      metadata: { name: `ranking-${index}-0`, uid: `${index}`, annotations: { 'reconstruct.dev/revision': revision } },
      spec: { nodeSelector, schedulingGates: 'rack' in nodeSelector ? [] : [{ name: 'reconstruct.dev/gang' }] },
      status: { phase: 'Pending' },
    }));
    const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
    desire(chart, {
      resource: { metadata, spec: input },
      owned: { of: (kind: ObjectKind) => (kind === Pod ? pods : []) },
      reads: { nodes: [], claims: [], configMaps: [], secrets: [] },
      ...{ polled: { capacity: { known: true, value: nodes } }, now: new Date(now) },
    } as unknown as TrainingView);
    const all = chart.toJson().filter(({ kind }: { readonly kind: string }) => kind === 'Pod');
    return all.map(({ spec: pod }: { readonly spec: Record<string, unknown> }) => [
      pod['nodeSelector'],
      pod['schedulingGates'],
    ]);
  };
  const roomy = (rack: string): CapacityAnswer => ({
    nodes: [{ name: 'n', labels: { rack, pool: 'gpu' }, taints: [], free: { cpu: 64, memory: 2 ** 38, pods: 9 } }],
    opening: [],
  });
  const inB = [{ pool: 'gpu', rack: 'b' }, undefined];
  expect(rendered([{ pool: 'gpu' }, { pool: 'gpu' }], roomy('b'))).toEqual([inB, inB]);
  // The first one was opened for another rack.
  const gate = [{ name: 'reconstruct.dev/gang' }];
  expect(rendered([{ pool: 'gpu', rack: 'a' }, { pool: 'gpu' }], roomy('b'))[1]).toEqual([{ pool: 'gpu' }, gate]);
});
