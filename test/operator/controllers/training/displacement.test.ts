import { describe, expect, test } from 'vitest';
import { sizeEvents } from '../../../../operator/controllers/training/events.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { planOf } from '../../../../operator/controllers/training/plan/index.js';
import type {
  CapacityAnswer,
  GivingGang,
  QueuedGang,
} from '../../../../operator/controllers/training/ports/capacity.js';
import { claimIn } from '../../../../operator/controllers/training/room/claims.js';
import {
  demand,
  gated,
  member,
  memory,
  nothing,
  planned,
  rank,
  report,
  room,
  situation,
  three,
  worker,
} from './given-training.js';

const queued = (job: string, priority: number, workers = 2, created = '2026-11-27T11:00:00Z'): QueuedGang => ({
  ...{ namespace: 'ml', job, priority, workers, queued: created, needs: { requests: { cpu: 2 } } },
});
/** A job that can give a worker on each of these nodes. */
const giving = (
  job: string,
  priority: number,
  nodes: readonly number[],
  created = '2026-11-27T10:00:00Z',
): GivingGang => ({
  ...{ namespace: 'ml', job, priority, queued: created },
  gives: nodes.map((node) => ({ node: `node-${node}`, requests: { cpu: 2 } })),
});
const claimed = (answer: CapacityAnswer) => {
  const claim = claimIn(answer);
  return claim && [claim.gang.job, ...claim.from.map(({ job }) => job)];
};

describe('the room goes first to', () => {
  const urgent = queued('urgent', 10);
  const low = giving('low', 0, [0, 1]);
  test.each<[string, Partial<CapacityAnswer>, readonly number[], readonly string[] | undefined]>([
    ['nobody, if nobody waits', { giving: [low] }, [0, 0], undefined],
    ['a job that needs nobody else', { queued: [urgent], giving: [low] }, [2, 2], ['urgent']],
    [
      'a job for which one of a lower priority goes on with fewer',
      { queued: [urgent], giving: [low] },
      [0, 0],
      ['urgent', 'low'],
    ],
    ['nobody by a job of the same priority', { queued: [queued('other', 0)], giving: [low] }, [0, 0], undefined],
    ['nobody by a job of a higher priority', { queued: [queued('other', -1)], giving: [low] }, [0, 0], undefined],
    [
      'nobody, if all together do not give enough',
      { queued: [queued('large', 10, 3)], giving: [low] },
      [0, 0],
      undefined,
    ],
    [
      'the next one, if the first does not get enough',
      { queued: [queued('large', 10, 9), queued('small', 5)], giving: [low] },
      [0, 0],
      ['small', 'low'],
    ],
    ['the highest priority', { queued: [queued('a', 5), queued('b', 10)] }, [2, 2], ['b']],
    [
      'the oldest of the same priority',
      { queued: [queued('a', 5, 2, '2026-11-27T11:00:01Z'), queued('b', 5)] },
      [2, 2],
      ['b'],
    ],
    [
      'a job for which the lowest priority goes on with fewer',
      { queued: [queued('urgent', 10)], giving: [giving('middle', 5, [0, 1]), low] },
      [0, 0],
      ['urgent', 'low'],
    ],
    [
      'a job for which the youngest of these goes on with fewer',
      { queued: [urgent], giving: [low, giving('young', 0, [0, 1], '2026-11-27T10:30:00Z')] },
      [0, 0],
      ['urgent', 'young'],
    ],
    [
      'a job for which two go on with fewer, if one is not enough',
      { queued: [urgent], giving: [giving('a', 0, [0]), giving('b', 1, [1])] },
      [0, 0],
      ['urgent', 'a', 'b'],
    ],
    [
      'a job that takes nothing where it is of no use',
      { queued: [urgent], giving: [giving('a', 0, [9]), giving('b', 1, [1])] },
      [2, 1],
      ['urgent', 'b'],
    ],
  ])('%s', (_, changes, free, expected) => {
    expect(claimed({ ...room(...free), ...changes })).toEqual(expected);
  });
  test('a job that waits until deleted Pods are gone, and takes no more', () => {
    const nodes = room(0, 0).nodes.map((node) => ({ ...node, leaving: { cpu: 2, pods: 1 } }));
    expect(claimed({ nodes, opening: [], queued: [urgent], giving: [low] })).toEqual(['urgent']);
  });
});

const elastic = { minWorkers: 2 };
const own = { ...giving('ranking', 0, [2]), queued: '2026-11-27T10:00:00Z' };
const urgent = queued('urgent', 10, 1);
const full = { ...room(0, 0, 0), queued: [urgent], giving: [own] };
const by = 'ml/urgent';
const two = [member(0), member(1)];

describe('a job of three workers with minWorkers 2', () => {
  test.each<[string, Parameters<typeof situation>[0], string | undefined]>([
    ['is displaced by a job of a higher priority', { room: full }, by],
    ['is not, if the other one gets room elsewhere', { room: { ...full, ...room(0, 0, 2) } }, undefined],
    ['is not by a job of the same priority', { room: { ...full, queued: [queued('urgent', 0, 1)] } }, undefined],
    ['is not without minWorkers', { spec: {}, room: full }, undefined],
    ['is not while the room is unknown', {}, undefined],
    ['stays displaced while the room is unknown', { memory: memory({ displacedBy: by }) }, by],
    [
      'stays so while the other one waits for Pods that are being deleted',
      { room: { ...room(2, 0, 0), queued: [urgent], giving: [] }, memory: memory({ displacedBy: by }) },
      by,
    ],
    [
      'is not any more when the other one does not wait',
      { room: room(0), memory: memory({ displacedBy: by }) },
      undefined,
    ],
  ])('%s', (_, changes, expected) => {
    expect(nextMemory(situation({ spec: elastic, ...changes })).displacedBy).toBe(expected);
  });
});

describe('a displaced job', () => {
  const displaced = (changes: Parameters<typeof situation>[0] = {}) =>
    situation({
      spec: elastic,
      room: full,
      ...changes,
      memory: memory({ displacedBy: by, displacedGeneration: 1, ...changes.memory }),
    });
  const small = { members: two, generation: 2 };
  const said = report([rank(0, { generation: 2 }), rank(1, { generation: 2 })], small);

  test('goes on with minWorkers between two steps, and keeps its Pods until then', () => {
    const { call, pods } = planOf(displaced(), demand);
    expect(call).toMatchObject({ act: 'begin', members: two, planned: true });
    expect(pods.map(({ act }) => act)).toEqual(['keep', 'keep', 'keep']);
  });
  test('then gives the others up, and has them wait with gates', () => {
    expect(planned(displaced({ memory: memory(small), report: said }))).toEqual([
      ...['keep 0-0', 'keep 1-0', 'create 2-1 gated'],
    ]);
  });
  test('keeps them while a generation with them may have begun unseen', () => {
    const { pods, call } = planOf(
      displaced({ memory: memory({ members: two }), report: report([rank(0), rank(1)], { members: two }) }),
      demand,
    );
    expect(pods.map(({ act }) => act)).toEqual(['keep', 'keep', 'keep']);
    expect(call).toMatchObject({ act: 'begin', generation: 2, members: two, planned: true });
  });
  test('keeps them until the status has the generation without them', () => {
    const before = memory({ displacedBy: by, displacedGeneration: 1 });
    const given = displaced({ memory: before, report: said });
    expect(planned(given)).toEqual(['keep 0-0', 'keep 1-0', 'keep 2-0']);
    expect(nextMemory(given).total).toBe(0);
  });
  test('takes none of them for a member that starts again', () => {
    const leaves = report(
      [rank(0, { generation: 2, state: 'waiting' }), rank(2, { state: 'ready', behind: true })],
      small,
    );
    expect(planOf(displaced({ memory: memory(small), report: leaves }), demand).call).toBeUndefined();
  });
  test('opens no gates', () => {
    const workers = [worker(0), worker(1), gated(2, { created: '2026-11-27T11:00:00Z' })];
    const { pods, queued: why } = planOf(
      displaced({ workers, memory: memory(small), report: said, room: { ...full, ...room(2) } }),
      demand,
    );
    expect(pods.some(({ act }) => act === 'open')).toBe(false);
    expect(why).toBe('TrainingJob ml/urgent with a higher priority waits for room');
  });
  test('replaces a worker that it needs without a gate, and no other', () => {
    const faults = [
      { id: 'pod-uid-1-0', uid: 'uid-1-0', grade: 'Pod' as const, kind: 'PodLost', time: '2026-11-27T11:59:59Z' },
    ];
    const given = displaced({ workers: [worker(0)], memory: memory({ ...small, faults }), report: said });
    expect(planned(given)).toEqual(['keep 0-0', 'create 1-0', 'create 2-0 gated']);
  });
  test('keeps the Pod that replaces one that it needs', () => {
    const faults = [
      { id: 'pod-uid-1-0', uid: 'uid-1-0', grade: 'Pod' as const, kind: 'PodLost', time: '2026-11-27T11:59:59Z' },
    ];
    const workers = [worker(0), worker(1, { attempt: 1 }), gated(2)];
    const given = displaced({ workers, memory: memory({ ...small, faults }), report: said });
    expect(planned(given).filter((line) => line.startsWith('keep'))).toEqual([
      'keep 0-0',
      'keep 1-1',
      'keep 2-0 gated',
    ]);
  });
  test('counts no fault', () => {
    const workers = [worker(0), worker(1), worker(2, { isEnding: true })];
    expect(nextMemory(displaced({ workers, memory: memory(small), report: said })).total).toBe(0);
  });
  test('tells it by an event', () => {
    const after = memory({ ...small, displacedBy: by });
    expect(sizeEvents(situation({ spec: elastic, report: three() }), after).map(({ note }) => note)).toEqual([
      'Continues with 2 of 3 workers in generation 2: TrainingJob ml/urgent with a higher priority waits for room',
    ]);
  });
});

describe('a job that waits', () => {
  const waits = (name: string, priority: number, answer: CapacityAnswer) => {
    const workers = [0, 1, 2].map((index) => gated(index, { priority }));
    const {
      queued: why,
      displaces,
      pods,
    } = planOf(situation({ name, workers, memory: nothing, report: undefined, room: answer }), demand);
    return { why, displaces, isOpened: pods.some(({ act }) => act === 'open') };
  };
  test('says for whom it waits', () => {
    const answer = { ...room(0, 0), queued: [queued('urgent', 10, 3)], giving: [giving('low', 0, [0, 0, 1])] };
    expect(waits('urgent', 10, answer)).toEqual({
      ...{ displaces: true, isOpened: false },
      why: 'the nodes have room for 0 of 3 workers; with a lower priority, ml/low goes on with fewer',
    });
  });
  test.each([
    ['lets a higher priority go first', 5, false],
    ['does not wait for the same priority', 10, true],
    ['does not wait for a lower one', 20, true],
  ])('%s', (_, priority, isOpened) => {
    expect(waits('other', priority, { ...room(9), queued: [queued('urgent', 10, 3)] }).isOpened).toBe(isOpened);
  });
});
