import { describe, expect, test } from 'vitest';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { workersOf } from '../../../../operator/controllers/training/view.js';
import type { Worker } from '../../../../operator/controllers/training/workers/worker.js';
import { memory, nothing, now, planned, situation, worker } from './given-training.js';

/** A Pod whose program has ended, or not, beside a proxy that still runs. */
function seen(exitCode: number | undefined, phase = 'Running', beside: object = { running: {} }): Partial<Worker> {
  const state = exitCode === undefined ? { running: {} } : { terminated: { exitCode } };
  const pod = {
    ...{ metadata: { name: 'ranking-0-0', uid: 'uid' }, spec: {} },
    status: {
      phase,
      containerStatuses: [
        { name: 'trainer', image: 'i', state },
        { name: 'istio-proxy', image: 'i', state: beside },
      ],
    },
  };
  const view = {
    resource: { metadata: { name: 'ranking' }, spec: {} },
    owned: { of: () => [pod] },
    reads: { nodes: [] },
  };
  const [{ phase: is, isHeld } = {} as Worker] = workersOf(view as never);
  return { phase: is, isHeld };
}

describe('a Pod with a container that goes on after the program', () => {
  test.each<[string, Parameters<typeof seen>, object]>([
    ['runs while the program does', [undefined], { phase: 'Running' }],
    ['has succeeded with it', [0], { phase: 'Succeeded', isHeld: true }],
    ['has failed with it', [1], { phase: 'Failed', isHeld: true }],
    ['has no other phase once all have ended', [0, 'Failed'], { phase: 'Failed' }],
    [
      'holds nothing when all have ended and the kubelet still calls it running',
      [0, 'Running', { terminated: { exitCode: 0 } }],
      { phase: 'Succeeded' },
    ],
  ])('%s', (_, given, expected) => {
    expect(seen(...given)).toEqual(expected);
  });

  const restart = { recovery: 'Restart', workers: 1 };
  const job = (exitCode: number) =>
    nextMemory(situation({ spec: restart, workers: [worker(0, seen(exitCode))], memory: nothing, report: undefined }));
  test('ends the job, or is a fault', () => {
    expect(job(0).end?.reason).toBe('Succeeded');
    expect(job(1).faults.map(({ kind }) => kind)).toEqual(['PodFailed']);
  });

  test.each([0, 1])('is not kept after the end of the job, because it holds its devices: exit code %s', (exitCode) => {
    const end = { time: now, reason: 'Succeeded' as const };
    const given = { spec: { cleanPods: 'None' }, workers: [worker(0, seen(exitCode))], memory: memory({ end }) };
    expect(planned(situation(given))).toEqual([]);
  });
});
