import { describe, expect, test } from 'vitest';
import { nextDeadline } from '../../../../operator/controllers/training/deadlines.js';
import type { Memory } from '../../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { fault, member, memory, now, planned, rank, report, situation, three, worker } from './given-training.js';

describe('a fault', () => {
  const found = (changes: Parameters<typeof situation>[0]) =>
    nextMemory(situation(changes)).faults.map(({ id, kind, grade }) => `${id}: ${kind}, ${grade}`);
  const silent = { age: 60 };
  const late = memory({ generationTime: now - 600_000 });
  const joining = { state: 'joining', phase: 'idle', phaseSeconds: 600 };
  const stalled = (time: number) =>
    memory({
      faults: [
        {
          ...fault('stall-1-uid-1-0', { kind: 'RankStalled', grade: 'Process', uid: 'uid-1-0' }),
          time: new Date(time).toISOString(),
        },
      ],
    });
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
      'a rank that computes for too long in an earlier generation, so that it never enters the next one',
      {
        memory: memory({ generation: 2 }),
        report: report(
          [rank(0, { generation: 2, state: 'joining' }), rank(1, { behind: true, phase: 'data', phaseSeconds: 60 })],
          { generation: 2 },
        ),
      },
      ['stall-2-uid-1-0: RankStalled, Process'],
    ],
    [
      'a rank that has done all steps is no culprit, however long its last phase takes',
      { report: three({ 0: { state: 'finishing', phaseSeconds: 60 } }) },
      [],
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
      'a rank of which a new coordinator has not heard while all others wait',
      { report: report([0, 2].map((index) => rank(index, { phase: 'sync', phaseSeconds: 60 }))) },
      ['pod-uid-1-0: RankStalled, Pod'],
    ],
    [
      'one for which the others have left their group',
      { report: report([0, 2].map((index) => rank(index, { state: 'waiting', phase: 'idle', phaseSeconds: 60 }))) },
      ['pod-uid-1-0: RankStalled, Pod'],
    ],
    ['none of which it has not heard yet', { report: report([rank(0), rank(2, { phase: 'sync' })]) }, []],
    [
      'none that may be starting',
      {
        report: {
          ...report([0, 2].map((index) => rank(index, { phase: 'sync', phaseSeconds: 599 }))),
          launchers: [{ ...member(1), age: 0 }],
        },
      },
      [],
    ],
    [
      'one that does not start in time',
      {
        report: {
          ...report([0, 2].map((index) => rank(index, { phase: 'sync', phaseSeconds: 600 }))),
          launchers: [{ ...member(1), age: 0 }],
        },
      },
      ['stall-1-uid-1-0: RankStalled, Process'],
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
      { memory: late, report: report([0, 1, 2].map((i) => rank(i, joining))) },
      ['start-1: StartTimeout, Job'],
    ],
    [
      'a member that has not joined while the others wait for it',
      {
        memory: late,
        report: report([rank(0, joining), rank(1, { state: 'ready', generation: 0 }), rank(2, joining)]),
      },
      ['pod-uid-1-0: StartTimeout, Pod'],
    ],
    [
      'only the member that has not joined, though one of the others joined a moment later',
      {
        memory: late,
        report: report([
          rank(0, joining),
          rank(1, { state: 'ready', generation: 0 }),
          rank(2, { ...joining, phaseSeconds: 599 }),
        ]),
      },
      ['pod-uid-1-0: StartTimeout, Pod'],
    ],
    [
      'none for a member that joined later, while the others wait for it',
      { memory: late, report: report([rank(0, joining), rank(1, joining), rank(2, { ...joining, phaseSeconds: 3 })]) },
      [],
    ],
    [
      'a member that joins while the others train',
      { memory: late, report: three({ 1: joining }) },
      ['pod-uid-1-0: StartTimeout, Pod'],
    ],
    [
      'none for a process that was just started again',
      { memory: late, report: three({ 1: { ...joining, phaseSeconds: 3 } }) },
      [],
    ],
    [
      'a Pod whose processes say nothing, before a generation has members',
      {
        memory: memory({ members: [], generationTime: now - 600_000 }),
        report: report([rank(0), rank(1)], { members: [] }),
      },
      ['pod-uid-2-0: StartTimeout, Pod'],
    ],
    [
      'none for a Pod that has just started, before a generation has members',
      {
        workers: [worker(0), worker(1), worker(2), worker(3, { started: new Date(now - 599_000).toISOString() })],
        spec: { spares: 1 },
        memory: memory({ members: [], generationTime: now - 600_000 }),
        report: report([rank(0), rank(1)], { members: [] }),
      },
      ['pod-uid-2-0: StartTimeout, Pod'],
    ],
    [
      'a start in which no process says a word, though a spare has just started',
      {
        workers: [worker(0), worker(1), worker(2), worker(3, { started: new Date(now - 599_000).toISOString() })],
        spec: { spares: 1 },
        memory: memory({ members: [], generationTime: now - 600_000 }),
        report: report([], { members: [] }),
      },
      ['start-1: StartTimeout, Job'],
    ],
    [
      'a process that is silent while it waits for a generation',
      { report: three({ 0: { state: 'waiting' }, 1: { state: 'waiting', age: 60 }, 2: { state: 'waiting' } }) },
      ['stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'the same stall once, before its process was started again',
      { memory: stalled(now - 2_000), report: three({ 1: { age: 62 } }) },
      ['stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'the same stall once, though a spare has its place',
      { memory: { ...stalled(now - 2_000), generation: 2 }, report: { ...three({ 1: { age: 62 } }), generation: 2 } },
      ['stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'a stall that its launcher does not end',
      {
        memory: stalled(now - 61_000),
        report: { ...three({ 1: { age: 121 } }), restarts: { 'ranking-1-0': 'stall-1-uid-1-0' } },
      },
      ['pod-uid-1-0: RankStalled, Pod', 'stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'none while the next process loads the module',
      {
        memory: stalled(now - 61_000),
        report: {
          ...three({ 1: { age: 121 } }),
          restarts: { 'ranking-1-0': 'stall-1-uid-1-0' },
          faults: [{ ...member(1), id: 'f', kind: 'ordered', grade: 'program', message: '' }],
        },
      },
      ['stall-1-uid-1-0: RankStalled, Process'],
    ],
    [
      'ranks that wait for one that is being started again are none',
      {
        report: three({
          0: { phase: 'sync', phaseSeconds: 60 },
          1: { state: 'waiting' },
          2: { phase: 'sync', phaseSeconds: 60 },
        }),
      },
      [],
    ],
    [
      'a loss of a rank that is loading an earlier checkpoint is none',
      { report: three({ 0: { state: 'joining', firstNonFinite: 85 } }) },
      [],
    ],
    [
      'a Pod that is lost while another rank is done',
      { workers: [worker(0, { phase: 'Succeeded' }), worker(1)], report: three({ 0: { state: 'done' } }) },
      ['pod-uid-2-0: PodLost, Pod'],
    ],
    ['none while the job stops', { spec: { suspend: true }, workers: [worker(0)] }, []],
  ])('%s', (_, changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });

  test('is looked for when a Pod that started last has had its time', () => {
    const workers = [worker(0), worker(1), worker(2, { started: new Date(now - 599_000).toISOString() })];
    const given = memory({ members: [], generationTime: now - 600_000 });
    expect(nextDeadline(situation({ workers, memory: given }), given)).toBe(now + 1_000);
    expect(nextDeadline(situation({ workers }), memory()), 'with members').toBe(now + 540_000);
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

describe('a job in which a rank is done', () => {
  const done = { workers: [worker(0, { phase: 'Succeeded' }), worker(1), worker(3)], spec: { spares: 1 } };
  test('begins no generation with a spare', () => {
    expect(planned(situation({ ...done, report: three({ 0: { state: 'done' } }) })).join()).not.toContain('begin');
  });
  test('replaces all Pods if another one is lost, because a rank that is done takes part in no repair', () => {
    const { incarnation, full, members } = nextMemory(situation({ ...done, report: three({ 0: { state: 'done' } }) }));
    expect([incarnation, full, members]).toEqual([1, 0, []]);
  });
  test('has not succeeded if the loss was not finite', () => {
    const ranks = { 0: { state: 'done' }, 1: { state: 'done', firstNonFinite: 99 }, 2: { state: 'done' } };
    expect(nextMemory(situation({ report: three(ranks) })).end).toBeUndefined();
  });
});

describe('a generation of which no answer has told', () => {
  test('before all Pods were replaced, has no members', () => {
    const given = { workers: [], memory: memory({ incarnation: 1, members: [], generation: 2 }) };
    expect(nextMemory(situation({ ...given, report: { ...three(), generation: 2 } })).total).toBe(0);
  });
  test('uses up its number', () => {
    const failed = situation({ workers: [worker(0), worker(1)], memory: memory({ partial: 3 }) });
    expect(nextMemory(failed).generation).toBe(2);
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
