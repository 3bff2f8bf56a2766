import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/training/assess.js';
import type { Fault, Memory } from '../../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
import { member, memory, nothing, now, rank, report, situation, three, worker } from './given-training.js';

const found = (changes: Parameters<typeof situation>[0]) =>
  nextMemory(situation(changes)).faults.map(({ id, kind, node }) => [id, kind, node]);
const fault = (id: string, changes: Partial<Fault> = {}): Fault => ({
  ...{ id, time: '2026-11-27T11:59:00Z', kind: 'ProcessFailed', grade: 'Process', uid: 'uid-1-0' },
  ...changes,
});

/** A worker whose program has failed so many seconds ago. */
const failed = (ago: number, index = 1) =>
  worker(index, { phase: 'Failed', ended: new Date(now - 1_000 * ago).toISOString() });

describe('a rank that stalls', () => {
  const silent = three({ 1: { age: 60 } });
  const stalled = (generation: number, time = '2026-11-27T11:59:00Z') =>
    memory({ faults: [fault(`stall-${generation}-uid-1-0`, { kind: 'RankStalled', time })] });
  test.each([
    { does: 'is counted once while its launcher starts it again', before: stalled(1), faults: ['stall-1-uid-1-0'] },
    {
      does: 'loses its Pod if it stalled before and trained since then',
      before: stalled(0, '2026-11-27T11:58:00Z'),
      faults: ['pod-uid-1-0', 'stall-0-uid-1-0'],
    },
  ])('$does', ({ before, faults }) => {
    expect(found({ memory: before, report: silent }).map(([id]) => id)).toEqual(faults);
  });
});

describe('a member whose Pod has exited with 0', () => {
  const ended = [worker(0), worker(1, { phase: 'Succeeded' }), worker(2)];
  test.each([
    {
      is: 'a fault when others have lost it',
      ranks: { 0: { state: 'waiting' }, 1: { state: 'done' } },
      faults: [['pod-uid-1-0', 'EndedEarly', 'node-1']],
    },
    {
      is: 'a fault when others join a generation that it never enters',
      ranks: { 0: { state: 'joining' }, 1: { state: 'training', behind: true }, 2: { state: 'joining' } },
      faults: [['pod-uid-1-0', 'EndedEarly', 'node-1']],
    },
    {
      is: 'a fault, and no stall, when it is silent and others train',
      ranks: { 1: { age: 60 } },
      faults: [['pod-uid-1-0', 'EndedEarly', 'node-1']],
    },
    {
      is: 'none when its last words were lost and others are done',
      ranks: { 0: { state: 'done' }, 1: { age: 60 }, 2: { state: 'finishing' } },
      faults: [],
    },
    {
      is: 'none while others join the generation that it has left',
      ranks: { 0: { state: 'joining' }, 1: { state: 'done' } },
      faults: [],
    },
    { is: 'none while others finish', ranks: { 0: { state: 'finishing' }, 1: { state: 'done' } }, faults: [] },
    {
      is: 'none when others wait for an older generation',
      ranks: { 0: { state: 'waiting', behind: true } },
      faults: [],
    },
  ])('is $is', ({ ranks, faults }) => {
    expect(found({ workers: ended, report: three(ranks as Parameters<typeof three>[0]) })).toEqual(faults);
  });
  test('is none before the coordinator was asked again, because all can have ended since', () => {
    const said = three({ 0: { state: 'waiting' } });
    const since = (seconds: number) => {
      const at = new Date(now - 1_000 * seconds).toISOString();
      return [worker(0), worker(1, { phase: 'Succeeded', ended: at }), worker(2)];
    };
    expect(found({ workers: since(9), report: said })).toEqual([]);
    expect(found({ workers: since(10), report: said })).toHaveLength(1);
  });
});

describe('a Pod that exits with 0 before it has a rank', () => {
  const ended = (seconds: number) => new Date(now - 1_000 * seconds).toISOString();
  const early = (changes: Parameters<typeof situation>[0] = {}) => ({
    spec: { workers: 1 },
    workers: [worker(0, { phase: 'Succeeded', ended: ended(10) })],
    ...{ memory: nothing, report: report([], { generation: 0, members: [] }) },
    ...changes,
  });
  const spare = [worker(0), worker(1), worker(2), worker(3, { phase: 'Succeeded' })];
  test.each<[string, Parameters<typeof situation>[0], number]>([
    ['is a fault, for example of a program without the module', early(), 1],
    ['is a fault while the coordinator does not answer', early({ report: undefined }), 1],
    ['is none before the next answer', early({ workers: [worker(0, { phase: 'Succeeded', ended: ended(9) })] }), 0],
    ['is a fault of a spare', { spec: { spares: 1 }, workers: spare }, 1],
    [
      'is none at the end of training',
      { spec: { spares: 1 }, workers: spare, report: three({ 0: { state: 'done' } }) },
      0,
    ],
    ['is none while the job stops', early({ spec: { suspend: true } }), 0],
  ])('%s', (_, changes, count) => {
    expect(found(changes).map(([, kind]) => kind)).toEqual(Array(count).fill('EndedEarly'));
  });

  test('fails the job in the end, and tells why', () => {
    let last: Memory = nothing;
    for (let time = 0; time < 20 && !last.end; time++) {
      const { incarnation, faults } = last;
      const workers = [worker(0, { uid: `uid-${faults.length}`, incarnation, phase: 'Succeeded' })];
      last = nextMemory(situation(early({ workers, memory: last })));
    }
    expect(last.end?.message).toContain('Pod ranking-0-0 has ended with exit code 0 before it had a rank');
  });
});

test('a Pod that was deleted at once has the machine on which it was seen', () => {
  const members = [0, 1, 2].map((index) => ({ ...member(index), node: `seen-${index}` }));
  expect(found({ workers: [worker(0), worker(1)], memory: memory({ members }) })).toEqual([
    ['pod-uid-2-0', 'PodLost', 'seen-2'],
  ]);
});

test('faults that the coordinator still reports count once, however many follow', () => {
  const reported = Array.from({ length: 10 }, (_, index) => ({
    ...{ ...member(1), id: `f${index}`, kind: 'exit', grade: 'program' as const, message: 'exit code 1' },
  }));
  const said = { ...three(), members: [], faults: reported };
  let last: Memory = memory();
  for (let index = 0; index < 30; index++) {
    // Another Pod of rank 2 is lost each time.
    const members = [member(0), member(1), { worker: 'ranking-2-0', uid: `lost-${index}` }];
    const spec = { restarts: { perWindow: 900 } };
    const workers = [worker(0), worker(1)];
    last = nextMemory(situation({ spec, workers, memory: { ...last, members }, report: said }));
  }
  expect([last.total, last.faults.length]).toEqual([10 + 30, 20]);
});

test('a program that fails again and again replaces no Pods before it has failed as often as it may', () => {
  let last: Memory = memory();
  for (let index = 0; index < 30; index++) {
    const newest = { ...member(1), id: `f${index}`, kind: 'exit', grade: 'program' as const, message: 'exit code 1' };
    const said = { ...three({ 1: { state: 'starting' } }), faults: [newest] };
    last = nextMemory(situation({ spec: { restarts: { perWindow: 900 } }, memory: last, report: said }));
  }
  expect([last.total, last.partial, last.full]).toEqual([30, 30, 0]);
});

describe('more faults at once than the status keeps', () => {
  const count = 25;
  const places = Array.from({ length: count + 5 }, (_, index) => index);
  const members = places.map((index) => member(index));
  const given = (changes: Parameters<typeof situation>[0]) =>
    situation({
      spec: { workers: places.length, restarts: { perWindow: 900 } },
      ...{ workers: places.map((index) => worker(index)), memory: memory({ members }) },
      report: report(
        places.map((index) => rank(index)),
        { members },
      ),
      ...changes,
    });
  test.each<[string, Parameters<typeof situation>[0]]>([
    ['Pods that fail', { workers: places.map((index) => worker(index, index < count ? { phase: 'Failed' } : {})) }],
    ['Pods that are gone', { workers: places.slice(count).map((index) => worker(index)) }],
    [
      'ranks that are silent',
      {
        report: report(
          places.map((index) => rank(index, { age: index < count ? 60 : 0 })),
          { members },
        ),
      },
    ],
  ])('count once each, and replace all Pods: %s', (_, changes) => {
    const first = nextMemory(given(changes));
    const second = nextMemory(given({ ...changes, memory: first }));
    for (const { total, full, incarnation } of [first, second])
      expect([total, full, incarnation]).toEqual([count, 1, 1]);
  });
});

describe('a fault has', () => {
  const seen = (changes: Parameters<typeof situation>[0]) => nextMemory(situation(changes));
  test.each<[string, Parameters<typeof situation>[0], number | undefined]>([
    ['since the end of the program, for a Pod', { workers: [worker(0), worker(1), failed(4)] }, 4],
    ['since the last progress, for a stall', { report: three({ 1: { age: 61 } }) }, 61],
    ['no such time for a Pod that is gone', { workers: [worker(0), worker(1)] }, undefined],
  ])('the seconds until it was seen: %s', (_, changes, expected) => {
    expect(seen(changes).faults[0]?.detectionSeconds).toBe(expected);
  });

  const inGeneration = (rendezvous: number) => memory({ generation: 2, faults: [fault('exit-f1', { rendezvous })] });
  const ranks = { 0: { generation: 2 }, 1: { generation: 2 }, 2: { generation: 2 } };
  const trains = { ...three(ranks), generation: 2 };
  const waits = { ...three({ ...ranks, 1: { generation: 2, state: 'joining' } }), generation: 2 };
  test.each([
    ['when all train in a later generation', inGeneration(1), trains, 60],
    ['not while a rank joins', inGeneration(1), waits, undefined],
    ['not in its own generation', inGeneration(2), trains, undefined],
  ])('the seconds until all ranks trained again: %s', (_, given, report_, expected) => {
    expect(seen({ memory: given, report: report_ }).faults[0]?.recoverySeconds).toBe(expected);
  });

  test('its generation, and is counted by its kind', () => {
    const { faults, counts } = seen({
      workers: [worker(0), failed(4), failed(4, 2)],
      memory: memory({ counts: { PodFailed: 1, NodeLost: 2 } }),
    });
    expect(faults.map(({ rendezvous }) => rendezvous)).toEqual([1, 1]);
    expect(counts).toEqual({ PodFailed: 3, NodeLost: 2 });
  });
});

describe('the status', () => {
  const spec = specOf({ workers: 1 });
  const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid', resourceVersion: '1' };
  const revision = trainingRevision({ name: 'ranking', namespace: 'ml', uid: 'uid', spec });
  const pod = {
    metadata: { name: 'ranking-0-0', uid: 'uid-0-0', annotations: { 'reconstruct.dev/revision': revision } },
    ...{ spec: { nodeName: 'node-0' }, status: { phase: 'Running' } },
  };
  /** A job with one worker, and what its process said. */
  const assessed = (changes: object, said?: Parameters<typeof rank>[1]) => {
    const ranks = [{ pod: 'ranking-0-0', uid: 'uid-0-0', index: 0 }];
    const restarts = { partial: 1, full: 0, total: 1 };
    const before = {
      observedGeneration: 1,
      restarts,
      loss: 0.25,
      rendezvous: 1,
      startTime: '2026-11-27T11:59:00Z',
      ranks,
    };
    const coordinator = said && { known: true, value: report([rank(0, said)], { members: [member(0)] }) };
    const view = {
      resource: { apiVersion: 'v1', kind: 'TrainingJob', metadata, spec, status: { ...before, ...changes } },
      ...{ owned: { of: () => [pod] }, reads: { nodes: [], isShared: undefined }, now: new Date(now) },
      polled: { coordinator, capacity: undefined },
    } as unknown as TrainingView;
    const { conditions, status } = assess(view as never);
    const { phase, loss, step, ranks: [first] = [] } = status ?? {};
    return { healthy: conditions.Healthy?.reason, phase, loss, steps: [step, first?.step] };
  };
  const ofRank0 = { uid: 'uid-0-0', pod: 'ranking-0-0', kind: 'RankStalled', rendezvous: 1 };
  test.each([
    {
      is: 'has five digits of the loss while it trains',
      changes: {},
      said: { loss: 0.011975185014307499 },
      expected: ['Healthy', 'Running', 0.011975],
    },
    { is: 'has no loss that is not finite', changes: {}, said: {}, expected: ['Healthy', 'Running', undefined] },
    {
      is: 'keeps the last loss of a job that has ended',
      changes: { completionTime: '2026-11-27T12:00:00Z', phase: 'Succeeded' },
      said: undefined,
      expected: ['Completed', 'Succeeded', 0.25],
    },
    {
      is: 'says that a rank stalls until it trains again',
      changes: { faults: [fault('stall-1-uid-0-0', ofRank0)] },
      said: { age: 60 },
      expected: ['RankStalled', 'Recovering', undefined],
    },
    {
      is: 'says so while its Pod is being replaced',
      changes: { faults: [fault('pod-uid-0-0', { ...ofRank0, grade: 'Pod' })] },
      said: { age: 60 },
      expected: ['RankStalled', 'Recovering', undefined],
    },
  ])('$is', ({ changes, said, expected }) => {
    const { healthy, phase, loss } = assessed(changes, said);
    expect([healthy, phase, loss]).toEqual(expected);
  });

  test.each<[string, readonly unknown[], string, Parameters<typeof rank>[1], number | undefined]>([
    ['keeps the last one', [840, undefined], 'a rank joins without a state after a pause', { state: 'joining' }, 840],
    ['has none', [undefined, undefined], 'a rank joins for the first time', { state: 'joining' }, undefined],
    ['has 0', [0, 0], 'a rank trains from the beginning', { state: 'training' }, 840],
    ['has that of a rank', [841, 841], 'it has left its group', { state: 'suspended', step: 841 }, 840],
  ])('of steps %s, %j, when %s', (_, expected, __, said, step) => {
    expect(assessed(step === undefined ? {} : { step }, { step: 0, ...said }).steps).toEqual(expected);
  });
});
