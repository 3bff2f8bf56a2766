import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { goodputAfter } from '../../../../operator/controllers/training/progress/goodput.js';
import { fault, memory, now, planned, report, situation, three } from './given-training.js';
import { assessed, type SeenPod } from './given-view.js';

const lost = (changes: Partial<Fault> = {}) => fault('pod-uid-1-0', { pod: 'ranking-1-0', rendezvous: 1, ...changes });
const repaired = lost({ uid: 'uid-1-9', recoverySeconds: 9 });
const inSecond = { generation: 2 };
const trains = report(three({ 0: inSecond, 1: inSecond, 2: inSecond }).ranks, { generation: 2 });
const goodput = {
  ...{ ratio: 1, startTime: '2026-11-27T11:00:00Z', updateTime: '2026-11-27T11:59:00Z', activity: 'Training' },
  ...{ startStep: 1, step: 100, maxStep: 100 },
  seconds: { kept: 3_540, repeated: 0, stalled: 0, recovering: 0, suspended: 0, starting: 0 },
};

describe('a job that trains in its second generation', () => {
  /** What the status says of it after an answer, or none. */
  const said = (coordinator: typeof trains | string | undefined, changes: object = {}, pods?: readonly SeenPod[]) => {
    const given = {
      ...{ phase: 'Running', rendezvous: 2, startTime: '2026-11-27T11:00:00Z', step: 100, goodput },
      ranks: [0, 1, 2].map((index) => ({ pod: `ranking-${index}-0`, uid: `uid-${index}-0`, index })),
      ...{ restarts: { partial: 1, full: 0, total: 1 }, faults: [repaired], ...changes },
    };
    const all = [0, 1, 2].map((index) => ({ index }));
    const { conditions, status } = assessed({ spec: { workers: 3 }, status: given, pods: pods ?? all, coordinator });
    return { health: conditions.Healthy?.reason, phase: status?.phase, training: conditions.Training?.reason, status };
  };

  test.each<[string, ReturnType<typeof said>, readonly [string, string, string]]>([
    ['when all train', said(trains), ['Healthy', 'Running', 'Training']],
    ['before another operator has an answer', said(undefined), ['Healthy', 'Running', 'Training']],
    ['while the coordinator is away', said('refused'), ['Healthy', 'Running', 'CoordinatorUnreachable']],
    [
      'when the next generation forms',
      said(report(three({ 0: { state: 'joining', generation: 3 } }).ranks, { generation: 3 })),
      ['Healthy', 'Starting', 'Starting'],
    ],
    [
      'but tells one that is not repaired',
      said(undefined, { faults: [lost({ rendezvous: 2, grade: 'Process' }), repaired] }),
      ['WorkerLost', 'Recovering', 'Recovering'],
    ],
    [
      'and finds a Pod that is lost meanwhile',
      said('refused', {}, [{ index: 0 }, { index: 1 }]),
      ['WorkerLost', 'Recovering', 'CoordinatorUnreachable'],
    ],
    [
      'and claims nothing that the status did not say',
      said(undefined, { phase: 'Recovering' }),
      ['Healthy', 'Recovering', 'Recovering'],
    ],
  ])('tells no repaired fault again, %s', (_, { health, phase, training }, expected) => {
    expect([health, phase, training]).toEqual(expected);
  });

  test('has the same goodput while nothing is known', () => {
    for (const coordinator of [undefined, 'refused']) expect(said(coordinator).status?.goodput).toEqual(goodput);
    expect(said(undefined, {}, [{ index: 0 }, { index: 1 }]).status?.goodput?.activity).toBe('Recovering');
  });

  test('recovers unseen for the time that the steps since then did not take', () => {
    const later = (changes: object) =>
      goodputAfter(goodput as never, { now, activity: 'Training', step: 101, ...changes })?.seconds;
    // A step takes 35.8 s.
    expect(later({ hasRegrouped: true })).toMatchObject({ kept: 3_540 + 36, recovering: 24 });
    expect(later({ hasRegrouped: true, step: 110 })).toMatchObject({ kept: 3_600, recovering: 0 });
    expect(later({})).toMatchObject({ kept: 3_600, recovering: 0 });
  });
});

describe('a fault is repaired', () => {
  const seconds = (given: Fault, changes: Parameters<typeof situation>[0] = {}) =>
    nextMemory(situation({ memory: memory({ generation: 2, faults: [given] }), report: trains, ...changes })).faults[0]
      ?.recoverySeconds;
  const process = (changes: Partial<Fault>) => lost({ id: 'exit-1', grade: 'Process', rendezvous: 2, ...changes });
  test.each<[string, number | undefined, number | undefined]>([
    ['in a later generation', seconds(lost({ uid: 'uid-1-9' })), 60],
    [
      'in a later one than an earlier release wrote down',
      seconds(lost({ uid: 'uid-1-9', rendezvous: undefined as never })),
      60,
    ],
    ['not in its own', seconds(process({})), undefined],
    ['in its own, if it was that of a spare', seconds(lost({ uid: 'uid-3-0', rendezvous: 2 })), 60],
    ['in its own, when steps follow it', seconds(process({ step: 99 })), 60],
    ['not before', seconds(process({ step: 100 })), undefined],
    [
      'not while the state is not finite',
      seconds(process({ grade: 'Generation', uid: undefined as never, step: 99 })),
      undefined,
    ],
    [
      'not by what was known before',
      seconds(lost({ uid: 'uid-1-9' }), { report: undefined, wasTraining: true }),
      undefined,
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

test('a process that was started again is not ordered to by a coordinator that has forgotten it', () => {
  const stall = {
    ...fault('stall-1-uid-1-0', { rendezvous: 1 }),
    kind: 'RankStalled',
    grade: 'Process' as const,
    uid: 'uid-1-0',
  };
  const orders = (recoverySeconds: number | undefined, age = 0) => {
    const faults = [{ ...stall, ...(recoverySeconds !== undefined && { recoverySeconds }) }];
    const said = { ...trains, ranks: trains.ranks.map((one) => (one.uid === 'uid-1-0' ? { ...one, age } : one)) };
    return planned(situation({ memory: memory({ generation: 2, faults }), report: said })).filter((line) =>
      /restart/.test(line),
    );
  };
  const order = 'call {"act":"restart","restarts":{"ranking-1-0":"stall-1-uid-1-0"}}';
  expect(orders(undefined)).toEqual([order]);
  expect(orders(5)).toEqual([]);
  expect(orders(5, 60)).toEqual([order]);
});
