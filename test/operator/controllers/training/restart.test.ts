import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import type { Worker } from '../../../../operator/controllers/training/workers/worker.js';
import { fault, gated, nothing, now, planned, room, situation, worker } from './given-training.js';
import { assessed, type SeenPod } from './given-view.js';

/** Three workers of the first start that run. */
const restart = (changes: Parameters<typeof situation>[0] = {}) =>
  situation({ spec: { recovery: 'Restart' }, memory: nothing, report: undefined, ...changes });
const ran = { ...nothing, generationTime: now - 60_000 };
const ending = (index: number, changes: Partial<Worker> = {}) => worker(index, { isEnding: true, ...changes });

describe('with recovery Restart, a Pod that is lost', () => {
  const lost = (kind: string) => [['pod-uid-1-0', kind, 'ranking-1-0', 'node-1', 'Job']];
  test.each<[string, Parameters<typeof situation>[0], readonly unknown[]]>([
    ['is a fault when it is being deleted', { workers: [worker(0), ending(1), worker(2)] }, lost('PodLost')],
    [
      'is a fault when it has failed',
      { workers: [worker(0), worker(1, { phase: 'Failed' }), worker(2)] },
      lost('PodFailed'),
    ],
    [
      'is a fault when its node is lost',
      { workers: [worker(0), worker(1, { isNodeLost: true }), worker(2)] },
      lost('NodeLost'),
    ],
    [
      'is a fault when it is gone',
      { workers: [worker(0), worker(2)] },
      [['lost-0-1', 'PodLost', undefined, undefined, 'Job']],
    ],
    [
      'is a fault when it is gone before it ran',
      { workers: [worker(0, { phase: 'Pending' }), gated(2)] },
      [['lost-0-1', 'PodLost', undefined, undefined, 'Job']],
    ],
    [
      'is a fault when all are gone after they ran',
      { workers: [], memory: ran, spec: { recovery: 'Restart', workers: 1 } },
      [['lost-0-0', 'PodLost', undefined, undefined, 'Job']],
    ],
    ['is none before a gate was open', { workers: [gated(0), gated(2)] }, []],
    ['is none before any ran', { workers: [] }, []],
    [
      'is none when it has exited with 0',
      { workers: [worker(0), ending(1, { phase: 'Succeeded' }), worker(2)], memory: ran },
      [],
    ],
    ['is none while the job stops', { workers: [ending(1)], memory: { ...ran, stoppingTime: now } }, []],
    [
      'is none when the restart has ended it',
      {
        workers: [worker(0, { phase: 'Failed' }), ending(1), worker(2)],
        memory: { ...nothing, incarnation: 1, generation: 1 },
      },
      [],
    ],
  ])('%s', (_, changes, expected) => {
    const { faults, incarnation, partial } = nextMemory(restart(changes));
    expect(faults.map(({ id, kind, pod, node, grade }) => [id, kind, pod, node, grade])).toEqual(expected);
    if (expected.length > 0) expect([incarnation, partial]).toEqual([1, 1]);
  });

  test('restarts the others once', () => {
    const workers = [worker(0), ending(1), worker(2)];
    const first = nextMemory(restart({ workers, memory: ran }));
    expect(first.generationTime).toBe(undefined);
    const failed = [worker(0, { phase: 'Failed' }), ending(1), ending(2)];
    expect(nextMemory(restart({ workers: failed, memory: first }))).toEqual(first);
  });

  test('restarts the others once beside workers that found no node in time', () => {
    const late = { ...nothing, openedTime: now - 600_000 };
    const workers = [ending(1), worker(2, { phase: 'Pending', node: undefined })];
    expect(nextMemory(restart({ workers, memory: late })).incarnation).toBe(1);
  });

  test('is awaited from when all have run together', () => {
    expect(nextMemory(restart()).generationTime).toBe(now);
    expect(nextMemory(restart({ memory: ran })).generationTime).toBe(ran.generationTime);
    const some = [worker(0), worker(1, { phase: 'Pending' }), worker(2)];
    expect(nextMemory(restart({ workers: some })).generationTime).toBe(undefined);
  });

  test('after a stop is of an earlier start', () => {
    const { incarnation, faults } = nextMemory(
      restart({ workers: [worker(0), ending(1), ending(2)], memory: { ...ran, stoppingTime: now } }),
    );
    expect([incarnation, faults]).toEqual([1, []]);
  });
});

describe('with recovery Restart, the plan', () => {
  const second = { ...nothing, incarnation: 1 };
  const fresh = [0, 1, 2].map((index) => `create ${index}-0 gated`);
  test.each<[string, Parameters<typeof situation>[0], readonly string[]]>([
    [
      'keeps the others until the fault is written down',
      { workers: [worker(0), ending(1), worker(2)] },
      ['keep 0-0', 'keep 2-0'],
    ],
    ['then deletes them', { workers: [worker(0), ending(1), worker(2)], memory: second }, []],
    ['creates no Pod beside one that is being deleted', { workers: [ending(1)], memory: second }, []],
    [
      'creates no Pod beside one that waited for a node',
      { workers: [ending(1, { phase: 'Pending', node: undefined })], memory: second },
      [],
    ],
    ['creates no Pod beside one that has failed', { workers: [worker(1, { phase: 'Failed' })], memory: second }, []],
    ['creates no Pod beside one of an earlier content', { workers: [ending(1, { revision: 'r0' })] }, []],
    ['creates no Pod before a stop is over', { workers: [], memory: { ...nothing, stoppingTime: now } }, []],
    ['creates all Pods when the old ones have ended', { workers: [], memory: second }, fresh],
    [
      'does not wait for a Pod of a lost machine',
      { workers: [ending(1, { isNodeLost: true })], memory: second },
      ['create 0-0 gated', 'create 1-1 gated', 'create 2-0 gated'],
    ],
    [
      'creates those that a killed operator has not created',
      { workers: [gated(0, { incarnation: 1 })], memory: second, room: room(10) },
      ['keep 0-0 gated', 'create 1-0 gated', 'create 2-0 gated', 'queued: 2 Pods do not exist yet'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(planned(restart(changes))).toEqual(expected);
  });

  test('deletes nothing of a stop before it is written down', () => {
    const suspend = { recovery: 'Restart', suspend: true };
    expect(planned(restart({ spec: suspend, memory: ran }))).toEqual(['keep 0-0', 'keep 1-0', 'keep 2-0']);
    expect(planned(restart({ spec: suspend, memory: { ...ran, stoppingTime: now } }))).toEqual([]);
  });
});

describe('with recovery Restart, the status', () => {
  /** What is said of a job of two workers, of which one was deleted before the second start. */
  const told = (incarnation: number, ...pods: readonly SeenPod[]) => {
    const faults = incarnation > 0 ? [fault('pod-uid-1-0', { grade: 'Job', rendezvous: 0 })] : [];
    const restarts = { partial: faults.length, full: 0, total: faults.length };
    const { conditions, status } = assessed({
      spec: { workers: 2, recovery: 'Restart' },
      status: { startTime: '2026-11-27T11:00:00Z', rendezvous: incarnation, incarnation, faults, restarts },
      pods,
    });
    const { Scheduled, Training } = conditions;
    return [status?.ready, Scheduled?.reason, Scheduled?.message, Training?.reason, Training?.message];
  };
  const trains = ['2/2', 'WorkersScheduled', undefined, 'Training', undefined];
  const waits = (message: string) => ['Queued', message, 'Recovering', message];
  const [first, second] = [{ incarnation: 0 }, { incarnation: 1 }];
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['says that all ranks train', told(0, { index: 0 }, { index: 1 }), trains],
    [
      'does not say so of a part',
      told(0, { index: 0 }, { index: 1, isEnding: true }),
      ['1/2', ...waits('Waiting for 2 old Pods to end')],
    ],
    [
      'counts the Pods that have not ended',
      told(1, { index: 1, isEnding: true, ...first }),
      ['0/2', ...waits('Waiting for 1 old Pod to end')],
    ],
    ['waits for nothing beside new Pods', told(1, { index: 0, ...second }, { index: 1, ...second }), trains],
  ])('%s', (_, said, expected) => {
    expect(said).toEqual(expected);
  });
});
