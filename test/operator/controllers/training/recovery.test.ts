import { describe, expect, test } from 'vitest';
import { type Memory, nextMemory, type Situation } from '../../../../operator/controllers/training/plan/index.js';
import { member, memory, nothing, now, planned, rank, report, situation, three, worker } from './given-training.js';

const kept = (...indexes: readonly number[]) => indexes.map((index) => `keep ${index}-0`);
const all = [0, 1, 2].map((index) => member(index));
const begin = (changes: object = {}) =>
  `call ${JSON.stringify({ act: 'begin', generation: 2, members: all, processes: 1, planned: false, ...changes })}`;
const fault = (id: string, changes: object = {}) => ({
  ...{ id, time: '2026-11-27T11:59:00Z', kind: 'PodFailed', grade: 'Pod' as const, uid: id.replace('pod-', '') },
  ...changes,
});
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
      'shrinks between two steps',
      { spec: { workers: 2 } },
      [...kept(0, 1), begin({ members: all.slice(0, 2), planned: true })],
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(situation(changes))).toEqual(expected);
  });
});

describe('a fault', () => {
  const found = (changes: Parameters<typeof situation>[0]) =>
    nextMemory(situation(changes)).faults.map(({ id, kind, grade }) => `${id}: ${kind}, ${grade}`);
  const silent = { age: 60 };
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    ['none', {}, []],
    [
      'a Pod that failed',
      { workers: [worker(0), worker(1), worker(2, { phase: 'Failed' })] },
      ['pod-uid-2-0: PodFailed, Pod'],
    ],
    ['a Pod that is gone', { workers: [worker(0), worker(1)] }, ['pod-uid-2-0: PodLost, Pod']],
    [
      'a Pod that is being deleted',
      { workers: [worker(0), worker(1), worker(2, { isEnding: true })] },
      ['pod-uid-2-0: PodLost, Pod'],
    ],
    [
      'a node that is lost',
      { workers: [worker(0), worker(1, { isNodeLost: true }), worker(2)] },
      ['pod-uid-1-0: NodeLost, Pod'],
    ],
    [
      'a rank that computes for too long',
      { report: three({ 1: { phaseSeconds: 60 }, 0: { phase: 'sync', phaseSeconds: 60 } }) },
      ['stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'a rank that waits for its peers is no culprit',
      { report: three({ 0: { phase: 'sync', phaseSeconds: 30 } }) },
      [],
    ],
    ['a silent rank with a launcher', { report: three({ 2: silent }) }, ['stall-1-uid-2-0: RankStalled, Process']],
    [
      'a silent rank with a silent launcher',
      { report: { ...three({ 2: silent }), launchers: [{ ...member(2), age: 60 }] } },
      ['pod-uid-2-0: RankStalled, Pod'],
    ],
    [
      'ranks that all wait',
      {
        report: three({
          0: { phase: 'sync', phaseSeconds: 60 },
          1: { phase: 'sync', phaseSeconds: 60 },
          2: { phase: 'sync', phaseSeconds: 60 },
        }),
      },
      ['deadlock-1: Deadlock, Generation'],
    ],
    [
      'a process that its launcher restarted',
      {
        report: {
          ...three(),
          faults: [{ ...member(1), id: 'f', kind: 'exit', grade: 'program', message: 'exit code 1' }],
        },
      },
      ['exit-f: ProcessFailed, Process'],
    ],
    [
      'an ordered restart is none',
      { report: { ...three(), faults: [{ ...member(1), id: 'f', kind: 'ordered', grade: 'program', message: '' }] } },
      [],
    ],
    [
      'a device',
      { report: { ...three(), faults: [{ ...member(1), id: 'f', kind: 'xid', grade: 'pod', message: 'Xid 79' }] } },
      ['pod-uid-1-0: DeviceFailed, Pod'],
    ],
    [
      'a start that takes too long',
      { memory: memory({ generationTime: now - 600_000 }), report: three({ 1: { state: 'joining' } }) },
      ['start-1: StartTimeout, Job'],
    ],
    ['none while the job stops', { spec: { suspend: true }, workers: [worker(0)] }, []],
  ])('%s', (_, changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });

  test('is counted once, and its window begins', () => {
    const workers = [worker(0), worker(1)];
    const once = nextMemory(situation({ workers }));
    expect([once.partial, once.total, once.windowStart]).toEqual([1, 1, now]);
    const twice = nextMemory(situation({ workers, memory: once }));
    expect([twice.partial, twice.total, twice.faults.length]).toEqual([1, 1, 1]);
  });

  test('after a window without faults is the first of another', () => {
    const old = memory({ partial: 3, full: 1, windowStart: now - 7 * 3_600_000 });
    const { partial, full, incarnation } = nextMemory(situation({ workers: [worker(0), worker(1)], memory: old }));
    expect([partial, full, incarnation]).toEqual([1, 0, 0]);
  });

  const another = (changes: Partial<Memory>) =>
    nextMemory(situation({ workers: [worker(0), worker(1)], memory: memory({ windowStart: now, ...changes }) }));
  test('up to perWindow is repaired by itself', () => {
    const { partial, incarnation } = another({ partial: 2 });
    expect([partial, incarnation]).toEqual([3, 0]);
  });
  test('beyond perWindow replaces all Pods', () => {
    const { partial, full, incarnation, members, end } = another({ partial: 3 });
    expect([partial, full, incarnation, members, end]).toEqual([0, 1, 1, [], undefined]);
  });
  test('beyond fullPerWindow ends the job', () => {
    const { end, incarnation } = another({ partial: 3, full: 1 });
    expect([end?.reason, incarnation]).toEqual(['RestartsExhausted', 0]);
    expect(end?.message).toContain('restarts.perWindow (3) and restarts.fullPerWindow (1)');
  });
});

describe('a loss that is not finite', () => {
  const again = memory({
    faults: [{ ...fault('loss-1-85', { kind: 'NonFiniteLoss', grade: 'Generation' }), step: 85 }],
    generation: 2,
  });
  const at = (step: number, changes: Parameters<typeof situation>[0] = {}) =>
    nextMemory(situation({ report: three({ 0: { firstNonFinite: step } }), ...changes })).end;
  const second = report(
    [0, 1, 2].map((i) => rank(i, { generation: 2, firstNonFinite: 85 })),
    { generation: 2 },
  );
  test('once does not end the job', () => expect(at(85)).toBeUndefined());
  test('ends it with nonFiniteLoss Fail', () =>
    expect(at(85, { spec: { health: { nonFiniteLoss: 'Fail' } } })?.reason).toBe('LossNotFinite'));
  test('at the same step again ends it, and says the step', () =>
    expect(at(85, { memory: again, report: second })?.message).toContain('step 85 is not finite again'));
  test('at another step does not', () =>
    expect(
      at(90, { memory: again, report: report([rank(0, { generation: 2, firstNonFinite: 90 })], { generation: 2 }) }),
    ).toBeUndefined());
});
