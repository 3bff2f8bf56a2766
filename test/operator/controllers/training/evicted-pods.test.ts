import { describe, expect, test } from 'vitest';
import { nodesToAvoid } from '../../../../operator/controllers/training/gang/demand.js';
import type { Memory } from '../../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { workersOf } from '../../../../operator/controllers/training/view.js';
import type { Worker } from '../../../../operator/controllers/training/workers/worker.js';
import { member, memory, nothing, situation, three, worker } from './given-training.js';

const isEvicted = (changes: object) => {
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', ...changes }];
  const pod = { ...{ metadata: { name: 'ranking-0-0', uid: 'uid' }, spec: {} }, status: { conditions } };
  const view = {
    resource: { metadata: { name: 'ranking' }, spec: {} },
    owned: { of: () => [pod] },
    reads: { nodes: [] },
  };
  return workersOf(view as never)[0]?.isEvicted;
};

test.each([
  ['a drain', {}, true],
  ['a preemption', { reason: 'PreemptionByScheduler' }, true],
  ['a node that is lost', { reason: 'DeletionByTaintManager' }, false],
  ['pressure on the node', { reason: 'TerminationByKubelet' }, false],
  ['nothing yet', { status: 'False' }, false],
])('a Pod is evicted by %s: %s', (_, changes, expected) => {
  expect(isEvicted(changes)).toBe(expected);
});

describe('a job whose Pods are evicted one after the other, by the upgrade of a cluster', () => {
  /** What is remembered after so many evictions of the second Pod from the same node. */
  const remembered = (count: number, spec: object, changes: Partial<Worker>): Memory => {
    const isInPlace = spec !== restart;
    let last = isInPlace ? memory() : nothing;
    for (let attempt = 0; attempt < count; attempt++) {
      const { incarnation } = last;
      const evicted = worker(1, { attempt, incarnation, isEvicted: true, ...changes });
      const members = isInPlace ? [member(0), member(1, attempt), member(2)] : [];
      const workers = [worker(0, { incarnation }), evicted, worker(2, { incarnation })];
      const report = isInPlace ? three() : undefined;
      last = nextMemory(situation({ spec, workers, memory: { ...last, members }, report }));
    }
    return last;
  };
  const restart = { recovery: 'Restart' };

  test.each<[string, object, Partial<Worker>, number]>([
    ['in place, while they end', {}, { isEnding: true }, 0],
    ['in place, when they have ended', {}, { phase: 'Failed' }, 0],
    ['with recovery Restart', restart, { isEnding: true }, 12],
  ])('goes on: %s', (_, spec, changes, incarnation) => {
    const last = remembered(12, spec, changes);
    expect(last).toMatchObject({ partial: 0, full: 0, total: 12, counts: { PodEvicted: 12 }, incarnation });
    expect(last.end).toBeUndefined();
    expect(nodesToAvoid(last, 2)).toEqual([]);
  });

  test('fails when they are deleted by others', () => {
    expect(remembered(12, {}, { isEnding: true, isEvicted: false }).end?.reason).toBe('RestartsExhausted');
  });
});
