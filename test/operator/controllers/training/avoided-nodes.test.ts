import { describe, expect, test } from 'vitest';
import { planOf } from '../../../../operator/controllers/training/plan/index.js';
import type { CapacityAnswer } from '../../../../operator/controllers/training/ports/capacity.js';
import { demand, gated, nothing, room, situation, worker } from './given-training.js';

const after = (...avoid: readonly string[]) => ({ ...demand, avoid });
const plan = (changes: Parameters<typeof situation>[0], avoid: readonly string[]) => {
  const { pods, queued } = planOf(
    situation({ spec: { workers: 2 }, memory: nothing, report: undefined, ...changes }),
    after(...avoid),
  );
  return {
    pods: pods.map(({ act, index, attempt, avoid: off = [] }) => `${act} ${index}-${attempt} not ${off.join()}`),
    queued,
  };
};
/** Two nodes, of which others use most now. */
const busy = (...free: readonly number[]): CapacityAnswer => ({
  ...room(...free),
  nodes: room(...free).nodes.map((node) => ({ ...node, allocatable: { cpu: 4, pods: 10 } })),
});

describe('nodes with faults', () => {
  test.each<[string, Parameters<typeof situation>[0], readonly string[], readonly string[], string | undefined]>([
    [
      'are avoided by new Pods',
      { workers: [], room: room(4, 4) },
      ['node-0'],
      ['create 0-0 not node-0', 'create 1-0 not node-0'],
      undefined,
    ],
    [
      'are avoided when a gate opens, as they were when the Pod was created',
      { workers: [gated(0, { avoid: ['node-0'] }), gated(1, { avoid: ['node-0'] })], room: room(4, 4) },
      ['node-0'],
      ['open 0-0 not node-0', 'open 1-0 not node-0'],
      undefined,
    ],
    [
      'are avoided while others are only busy, and the message says so',
      { workers: [gated(0, { avoid: ['node-0'] }), gated(1, { avoid: ['node-0'] })], room: busy(4, 2) },
      ['node-0'],
      ['keep 0-0 not ', 'keep 1-0 not '],
      'the nodes have room for 1 of 2 workers, without node-0 because of faults',
    ],
    [
      'are not avoided if there are no others: Pods that wait are replaced',
      { workers: [gated(0, { avoid: ['node-0'] }), gated(1, { avoid: ['node-0'] })], room: room(4) },
      ['node-0'],
      ['create 0-1 not ', 'create 1-1 not '],
      undefined,
    ],
    [
      'are then open to them',
      { workers: [gated(0), gated(1)], room: room(4) },
      ['node-0'],
      ['open 0-0 not ', 'open 1-0 not '],
      undefined,
    ],
    [
      'are avoided while the room is not known',
      { workers: [gated(0, { avoid: ['node-0'] }), gated(1, { avoid: ['node-0'] })] },
      ['node-0'],
      ['keep 0-0 not ', 'keep 1-0 not '],
      'the room on the nodes is not known yet',
    ],
    [
      'are avoided by Pods that wait since before the last fault: they are replaced',
      { workers: [gated(0), gated(1)], room: room(4, 4) },
      ['node-1'],
      ['create 0-1 not node-1', 'create 1-1 not node-1'],
      undefined,
    ],
    [
      'are of no matter to Pods that run',
      { workers: [worker(0), worker(1)], room: room(4, 4) },
      ['node-1'],
      ['keep 0-0 not ', 'keep 1-0 not '],
      undefined,
    ],
  ])('%s', (_, changes, avoid, pods, queued) => {
    expect(plan(changes, avoid)).toEqual({ pods, queued });
  });
});
