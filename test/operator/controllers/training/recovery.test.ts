import { describe, expect, test } from 'vitest';
import type { Situation } from '../../../../operator/controllers/training/situation.js';
import {
  fault,
  member,
  memory,
  nothing,
  now,
  planned,
  rank,
  report,
  situation,
  three,
  worker,
} from './given-training.js';

const kept = (...indexes: readonly number[]) => indexes.map((index) => `keep ${index}-0`);
const all = [0, 1, 2].map((index) => member(index));
const begin = (changes: object = {}) =>
  `call ${JSON.stringify({ act: 'begin', generation: 2, members: all, processes: 1, planned: false, ...changes })}`;
const ready = (index: number, changes: object = {}) =>
  rank(index, { state: 'ready', generation: 0, behind: true, ...changes });

describe('the first generation', () => {
  const fresh = (changes: Partial<Situation> = {}) =>
    situation({
      memory: nothing,
      report: report(
        [0, 1, 2].map((index) => ready(index, { behind: false })),
        { generation: 0, members: [] },
      ),
      ...changes,
    });
  test('begins when every process is ready', () => {
    expect(planned(fresh())).toEqual([...kept(0, 1, 2), begin({ generation: 1 })]);
  });
  test.each([
    ['a process is missing', report([ready(0), ready(1)], { generation: 0, members: [] })],
    [
      'a process is starting',
      report([ready(0), ready(1), ready(2, { state: 'starting' })], { generation: 0, members: [] }),
    ],
    [
      'the store does not answer',
      report([ready(0), ready(1), ready(2)], { generation: 0, members: [], hasStore: false }),
    ],
    ['the coordinator does not answer', undefined],
  ])('does not begin while %s', (_, said) => {
    expect(planned(fresh({ report: said }))).toEqual(kept(0, 1, 2));
  });
});

describe('a job that trains', () => {
  const failed = [worker(0), worker(1), worker(2, { phase: 'Failed' })];
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['needs nothing', {}, kept(0, 1, 2)],
    ['keeps a failed Pod until its fault is written down', { workers: failed }, kept(0, 1, 2)],
    [
      'replaces only the Pod that failed, and waits for it',
      { workers: failed, memory: memory({ faults: [fault('pod-uid-2-0')] }), report: three({ 2: { age: 9 } }) },
      [...kept(0, 1), 'create 2-1'],
    ],
    [
      'gives the place to the new Pod when it is ready',
      {
        workers: [worker(0), worker(1), worker(2, { attempt: 1 })],
        memory: memory({ faults: [fault('pod-uid-2-0')] }),
        report: report([rank(0, { state: 'waiting' }), rank(1), ready(2, member(2, 1))]),
      },
      [...kept(0, 1), 'keep 2-1', begin({ members: [member(0), member(1), member(2, 1)] })],
    ],
    [
      'gives the place of a lost Pod to a spare at once',
      {
        spec: { spares: 1 },
        workers: [worker(0), worker(1), worker(3)],
        memory: memory({ faults: [fault('pod-uid-2-0')] }),
        report: report([rank(0, { state: 'waiting' }), rank(1), ready(3)]),
      },
      [...kept(0, 1, 3), 'create 2-0', begin({ members: [member(0), member(1), member(3)] })],
    ],
    [
      'gives the place of a lost Pod to a spare at once, also before its peers have noticed',
      {
        spec: { spares: 1 },
        workers: [worker(0), worker(1), worker(3)],
        memory: memory({ faults: [fault('pod-uid-2-0')] }),
        report: report([rank(0), rank(1), rank(2), ready(3)]),
      },
      [...kept(0, 1, 3), 'create 2-0', begin({ members: [member(0), member(1), member(3)] })],
    ],
    [
      'gives the place of a silent process to a spare at once',
      {
        spec: { spares: 1 },
        workers: [worker(0), worker(1), worker(2), worker(3)],
        memory: memory({
          faults: [fault('stall-1-uid-2-0', { kind: 'RankStalled', grade: 'Process', uid: 'uid-2-0' })],
        }),
        report: {
          ...report([rank(0), rank(1), rank(2, { age: 60 }), ready(3)]),
          restarts: { 'ranking-2-0': 'stall-1-uid-2-0' },
        },
      },
      [...kept(0, 1, 2, 3), begin({ members: [member(0), member(1), member(3)] })],
    ],
    [
      'gives the place of a process that has ended to a spare at once',
      {
        spec: { spares: 1 },
        workers: [worker(0), worker(1), worker(2), worker(3)],
        report: report([rank(0, { state: 'waiting' }), rank(1), rank(2, { state: 'ended' }), ready(3)]),
      },
      [...kept(0, 1, 2, 3), begin({ members: [member(0), member(1), member(3)] })],
    ],
    [
      'gives the first rank back to the Pod that mounts the volume, between two steps',
      {
        spec: { spares: 1, checkpoint: { size: '1Gi' } },
        workers: [worker(0, { attempt: 1 }), worker(1), worker(2), worker(3)],
        memory: memory({ members: [member(3), member(1), member(2)] }),
        report: report([rank(3), rank(1), rank(2), { ...ready(0), ...member(0, 1) }], {
          members: [member(3), member(1), member(2)],
        }),
      },
      ['keep 0-1', ...kept(1, 2, 3), begin({ members: [member(0, 1), member(1), member(2)], planned: true })],
    ],
    [
      'leaves the first rank to a spare without a volume',
      {
        spec: { spares: 1 },
        workers: [worker(0, { attempt: 1 }), worker(1), worker(2), worker(3)],
        memory: memory({ members: [member(3), member(1), member(2)] }),
        report: report([rank(3), rank(1), rank(2), { ...ready(0), ...member(0, 1) }], {
          members: [member(3), member(1), member(2)],
        }),
      },
      ['keep 0-1', ...kept(1, 2, 3)],
    ],
    [
      'begins a generation with the same Pods when a process has left',
      { report: three({ 1: { state: 'waiting' } }) },
      [...kept(0, 1, 2), begin()],
    ],
    [
      'waits for a process that is being started again',
      { report: three({ 0: { state: 'waiting' }, 1: { state: 'starting' } }) },
      kept(0, 1, 2),
    ],
    [
      'waits for members that have not heard of the generation',
      { report: report([0, 1, 2].map((i) => rank(i, { state: 'waiting', behind: true, generation: 0 }))) },
      kept(0, 1, 2),
    ],
    [
      'begins a generation again of which a new coordinator cannot tell a rank that has not entered it',
      { report: { ...three({ 0: { state: 'joining' }, 1: ready(1), 2: { state: 'joining' } }), members: [] } },
      [...kept(0, 1, 2), begin()],
    ],
    [
      'trains on while a new coordinator hears that all ranks are in the generation',
      { report: { ...three(), members: [] } },
      kept(0, 1, 2),
    ],
    [
      'sends the generation again to a coordinator that knows an older one',
      { report: { ...three(), generation: 0, members: [] } },
      [...kept(0, 1, 2), begin({ planned: true })],
    ],
    [
      'goes back before the first loss that is not finite',
      { report: three({ 0: { firstNonFinite: 85 }, 1: { firstNonFinite: 86 } }) },
      [...kept(0, 1, 2), begin({ restoreBefore: 85 })],
    ],
    [
      'does not go back twice for one loss',
      {
        report: report(
          [0, 1, 2].map((i) => rank(i, { firstNonFinite: 85, behind: true })),
          { generation: 2 },
        ),
      },
      kept(0, 1, 2),
    ],
    [
      'goes on with such a loss if the spec ignores it',
      { spec: { health: { nonFiniteLoss: 'Ignore' } }, report: three({ 0: { firstNonFinite: 85 } }) },
      kept(0, 1, 2),
    ],
    [
      'has the process of a stalled rank started again',
      {
        memory: memory({
          faults: [fault('stall-1-uid-1-0', { kind: 'RankStalled', grade: 'Process', uid: 'uid-1-0' })],
        }),
      },
      [...kept(0, 1, 2), 'call {"act":"restart","restarts":{"ranking-1-0":"stall-1-uid-1-0"}}'],
    ],
    [
      'orders a restart once',
      {
        memory: memory({
          faults: [fault('stall-1-uid-1-0', { kind: 'RankStalled', grade: 'Process', uid: 'uid-1-0' })],
        }),
        report: { ...three(), restarts: { 'ranking-1-0': 'stall-1-uid-1-0' } },
      },
      kept(0, 1, 2),
    ],
    [
      'grows between two steps',
      {
        spec: { workers: 4 },
        workers: [0, 1, 2, 3].map((i) => worker(i)),
        report: report([rank(0), rank(1), rank(2), ready(3)]),
      },
      [...kept(0, 1, 2, 3), begin({ members: [...all, member(3)], planned: true })],
    ],
    [
      'shrinks between two steps, and keeps the Pod that has a rank until then',
      { spec: { workers: 2 } },
      [...kept(0, 1, 2), begin({ members: all.slice(0, 2), planned: true })],
    ],
    [
      'then has no more Pods than workers',
      {
        spec: { workers: 2 },
        memory: memory({ generation: 2, members: all.slice(0, 2) }),
        report: report(
          [0, 1].map((index) => rank(index, { generation: 2 })),
          {
            ...{ generation: 2, members: all.slice(0, 2) },
          },
        ),
      },
      kept(0, 1),
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(situation(changes))).toEqual(expected);
  });
});

describe('a job with checkpoints, of which only the Pod with the index 0 mounts the volume', () => {
  const spec = { workers: 2, spares: 1, checkpoint: { size: '1Gi' } };
  const pending = worker(0, { attempt: 1, phase: 'Pending' });
  const spares = [pending, worker(1), worker(2)];
  const started = { ...nothing, generation: 4, startTime: now - 900_000 };
  const fresh = [1, 2].map((index) => ready(index, { step: 0 }));
  const atSpare = memory({ members: [member(2), member(1)] });
  const spoilt = (workers: readonly ReturnType<typeof worker>[]) => ({
    ...{ spec, workers, memory: atSpare },
    report: report(
      workers
        .filter(({ phase }) => phase === 'Running')
        .map(({ index, attempt }) =>
          index === 0 ? { ...ready(0), ...member(0, attempt) } : rank(index, { firstNonFinite: 85 }),
        ),
      { members: atSpare.members },
    ),
  });
  const calls = (given: Parameters<typeof situation>[0]) =>
    planned(situation(given)).filter((one) => one.startsWith('call'));

  test.each<[string, Parameters<typeof situation>[0]]>([
    [
      'a resumed job',
      { spec, workers: spares, memory: started, report: report(fresh, { generation: 4, members: [] }) },
    ],
    [
      'one that lost all its members at once',
      {
        ...{
          spec,
          workers: spares,
          memory: memory({ members: [member(0), member(3)], faults: [fault('pod-uid-0-0')] }),
        },
        report: report(fresh, { members: [member(0), member(3)] }),
      },
    ],
    [
      'one whose only other Pod was a member long ago',
      {
        ...{ spec: { ...spec, workers: 1 }, workers: [pending, worker(1)] },
        ...{ memory: memory({ members: [member(0)], faults: [fault('pod-uid-0-0')] }) },
        report: report([ready(1, { step: 40 })], { members: [member(0)] }),
      },
    ],
    ['a rollback', spoilt(spares)],
  ])('waits for it: %s', (_, given) => {
    expect(calls(given)).toEqual([]);
  });

  test.each<[string, Parameters<typeof situation>[0]]>([
    [
      'if all mount the volume',
      {
        ...{ spec, workers: spares, memory: started, sharesVolume: true },
        report: report(fresh, { generation: 4, members: [] }),
      },
    ],
    [
      'if there are no checkpoints',
      {
        ...{ spec: { ...spec, checkpoint: undefined }, workers: spares, memory: started },
        report: report(fresh, { generation: 4, members: [] }),
      },
    ],
    [
      'if a survivor has the state',
      {
        ...{
          spec,
          workers: spares,
          memory: memory({ members: [member(0), member(1)], faults: [fault('pod-uid-0-0')] }),
        },
        report: report([rank(1, { state: 'waiting' }), ready(2)], { members: [member(0), member(1)] }),
      },
    ],
    ['once it is ready, for a rollback too', spoilt([worker(0, { attempt: 1 }), worker(1), worker(2)])],
  ])('goes on without it, or with it: %s', (_, given) => {
    expect(calls(given)).toHaveLength(1);
  });
});
