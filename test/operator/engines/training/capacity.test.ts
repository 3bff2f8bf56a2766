import { describe, expect, test } from 'vitest';
import { capacitySource } from '../../../../operator/engines/training/capacity-source.js';

const container = (cpu: string, restartPolicy?: string) => ({
  resources: { requests: { cpu } },
  ...(restartPolicy && { restartPolicy }),
});
const pod = (spec: object, phase = 'Running', metadata: object = {}) => ({
  metadata: { name: 'p', namespace: 'ml', ...metadata },
  spec: { nodeName: 'n', containers: [container('1')], ...spec },
  status: { phase },
});
const node = (name: string, spec: object = {}, ready = 'True') => ({
  metadata: { name, labels: { zone: 'a' } },
  spec,
  status: { allocatable: { cpu: '8', pods: '10' }, conditions: [{ type: 'Ready', status: ready }] },
});
const worker = (metadata: object) => ({
  labels: { 'reconstruct.dev/training-job': 'ranking', 'reconstruct.dev/training-role': 'worker' },
  creationTimestamp: '2026',
  ownerReferences: [{ kind: 'TrainingJob', name: 'ranking', uid: 'uid' }],
  ...metadata,
});

async function answer(
  pods: readonly object[],
  nodes: readonly object[] = [node('n')],
  jobs: readonly object[] = [{ metadata: { name: 'ranking', namespace: 'ml', uid: 'uid' }, spec: { workers: 2 } }],
) {
  const of = { Pod: pods, Node: nodes, TrainingJob: jobs } as Readonly<Record<string, readonly object[]>>;
  const list = async ({ kind }: { kind: string }, query: { continue?: string }) => {
    const from = Number(query.continue ?? 0);
    const rest = of[kind] ?? [];
    return { items: rest.slice(from, from + 1), ...(from + 1 < rest.length && { continue: String(from + 1) }) };
  };
  return capacitySource({ list } as never)({}, { signal: new AbortController().signal });
}
const freeCores = async (pods: readonly object[]) => (await answer(pods)).nodes[0]?.free;

test.each([
  ['no Pods', [], 8, 10],
  ['a Pod on it, from a later page too', [pod({}), pod({})], 6, 8],
  ['a Pod that has ended', [pod({}, 'Succeeded'), pod({}, 'Failed')], 8, 10],
  ['a Pod without a node', [pod({ nodeName: undefined }, 'Pending')], 8, 10],
  ['an init container that is larger', [pod({ initContainers: [container('3')] })], 5, 9],
  ['an init container that runs beside', [pod({ initContainers: [container('500m', 'Always')] })], 6.5, 9],
  ['overhead', [pod({ overhead: { cpu: '250m' } })], 6.75, 9],
])('a node has room beside %s', async (_, pods, cpu, left) => {
  expect(await freeCores(pods)).toEqual({ cpu, pods: left });
});

test('only nodes that are ready and not cordoned have room', async () => {
  const nodes = [node('b'), node('a'), node('c', { unschedulable: true }), node('d', {}, 'Unknown')];
  expect((await answer([], nodes)).nodes.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a job is being scheduled while a worker without a gate has no node', async () => {
  const one = (spec: object, metadata = {}) => pod({ nodeName: undefined, ...spec }, 'Pending', worker(metadata));
  const placed = one({ nodeName: 'n' }, { creationTimestamp: '2025' });
  expect((await answer([one({}), one({}, { creationTimestamp: '2027' }), placed])).opening).toEqual([
    { namespace: 'ml', job: 'ranking', queued: '2026', unplaced: 2, needs: { requests: { cpu: 1 }, podTemplate: {} } },
  ]);
  expect((await answer([one({ schedulingGates: [{ name: 'g' }] })])).opening).toEqual([]);
  expect((await answer([one({ nodeName: 'n' })])).opening).toEqual([]);
  expect((await answer([one({}, { deletionTimestamp: 'now' })])).opening).toEqual([]);
});

test.each<[string, object]>([
  ['no owner', { ownerReferences: undefined }],
  ['an owner that is gone', { ownerReferences: [{ kind: 'TrainingJob', name: 'ranking', uid: 'before' }] }],
  ['the name of another job', { labels: { ...worker({}).labels, 'reconstruct.dev/training-job': 'other' } }],
])('no job waits for a Pod with the labels of a worker and %s', async (_, metadata) => {
  expect((await answer([pod({ nodeName: undefined }, 'Pending', worker(metadata))])).opening).toEqual([]);
});

test.each([
  ['500m', 7.5],
  ['2', 6],
  ['1e0', 7],
  ['1k', -992],
  ['1Ki', -1016],
])('a request of %s leaves %d of 8 cores', async (cpu, left) => {
  expect((await freeCores([pod({ containers: [container(cpu)] })]))?.['cpu']).toBe(left);
});

test('a node whose amounts cannot be read has no room that is known, and others have', async () => {
  const odd = { ...node('odd'), status: { ...node('odd').status, allocatable: { cpu: 'many', pods: '10' } } };
  const { nodes } = await answer([pod({ containers: [container('some')] })], [node('n'), odd, node('o')]);
  expect(nodes.map(({ free }) => free)).toEqual([{ pods: 9 }, { cpu: 8, pods: 10 }, { pods: 10 }]);
});

describe('of the workers of a job', () => {
  const gate = { nodeName: undefined, schedulingGates: [{ name: 'g' }], priority: 7 };
  const job = (spec: object, ranks: readonly string[] = []) => ({
    metadata: { name: 'ranking', namespace: 'ml', uid: 'uid' },
    ...{ spec, status: { ranks: ranks.map((name) => ({ pod: name })) } },
  });
  const one = (name: string, spec: object = {}, metadata: object = {}) =>
    pod(spec, 'Running', worker({ name, ...metadata }));

  test('all wait with gates: it is queued, with what they need', async () => {
    const pods = [one('a', { ...gate, nodeSelector: { zone: 'a' } }), one('b', gate)];
    const { queued } = await answer(pods);
    expect(queued).toEqual([
      {
        ...{ namespace: 'ml', job: 'ranking', queued: '2026', priority: 7, workers: 2 },
        needs: { requests: { cpu: 1 }, podTemplate: { nodeSelector: { zone: 'a' } } },
      },
    ]);
  });
  test.each([
    ['that all have one value of', 'Required', 'zone'],
    ['that they prefer', 'Preferred', undefined],
  ])('of a label %s, they need nodes with the label: %#', async (_, policy, topologyKey) => {
    const spec = { workers: 2, topology: { key: 'zone', policy } };
    const { queued } = await answer([one('a', gate), one('b', gate)], undefined, [job(spec)]);
    expect(queued?.map(({ needs }) => needs.topologyKey)).toEqual([topologyKey]);
  });
  test.each([
    ['one has no gate', [one('a', gate), one('b')], { workers: 2 }],
    ['one does not exist yet', [one('a', gate)], { workers: 2 }],
    ['a spare does not exist yet', [one('a', gate), one('b', gate)], { workers: 2, spares: 1 }],
    ['one is being deleted', [one('a', gate), one('b', gate, { deletionTimestamp: 'now' })], { workers: 2 }],
  ])('%s: it is not queued', async (_, pods, spec) => {
    expect((await answer(pods, undefined, [job(spec)])).queued).toEqual([]);
  });

  const [a, b, c] = [one('a'), one('b'), one('c', { priority: -1 })];
  test.each<[string, readonly object[], object, readonly string[], number]>([
    [
      'more than minWorkers have a node: the others can be given',
      [a, b, c],
      { workers: 3, minWorkers: 1 },
      ['a', 'b', 'c'],
      2,
    ],
    ['without minWorkers, none', [a, b, c], { workers: 3 }, ['a', 'b', 'c'], 0],
    ['spares can be given', [a, b, c], { workers: 2, minWorkers: 1, spares: 1 }, ['a', 'b'], 2],
    ['before the first generation, none', [a, b, c], { workers: 3, minWorkers: 1 }, [], 0],
    ['only those with a node', [a, b, one('c', gate)], { workers: 3, minWorkers: 2 }, ['a', 'b'], 0],
    [
      'not those that go anyway',
      [a, b, one('c', {}, { deletionTimestamp: 'now' })],
      { workers: 3, minWorkers: 2 },
      ['a', 'b', 'c'],
      0,
    ],
  ])('%s', async (_, pods, spec, ranks, gives) => {
    const { giving = [] } = await answer(pods, undefined, [job(spec, ranks)]);
    expect(giving.flatMap((gang) => gang.gives)).toEqual(
      Array.from({ length: gives }, () => ({ node: 'n', requests: { cpu: 1 } })),
    );
  });

  test('a Pod that is being deleted leaves its room', async () => {
    const { nodes } = await answer([one('a', {}, { deletionTimestamp: 'now' }), one('b')]);
    expect(nodes.map(({ free, leaving }) => [free, leaving])).toEqual([
      [
        { cpu: 6, pods: 8 },
        { cpu: 1, pods: 1 },
      ],
    ]);
  });
});
