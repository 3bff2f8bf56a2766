import { describe, expect, it } from 'vitest';
import { floorAfter } from '../../../../../operator/controllers/algorithm/level/floor.js';

const scaling = { minReplicas: 2, maxReplicas: 10, targetCpuPercent: 80, targetLatencyMs: 50 };
const seconds = (ago: number) => new Date(1_000_000_000 - ago * 1000).toISOString();
const now = 1_000_000_000;

describe('line 9: the floor of the autoscaler', () => {
  it.each([
    { is: 4, when: 'requests take twice the target', latencyMs: 100, replicas: 2, floor: undefined },
    { is: 3, when: 'they take a little more', latencyMs: 60, replicas: 2, floor: undefined },
    {
      is: 4,
      when: 'they take ten times the target, since a raise is twofold at the most',
      latencyMs: 500,
      replicas: 2,
    },
    { is: 10, when: 'there are nearly maxReplicas', latencyMs: 500, replicas: 8 },
    { is: 4, when: 'the last raise has not had its time', latencyMs: 500, replicas: 4, floor: { is: 4, ago: 29 } },
    { is: 8, when: 'the last raise has not helped', latencyMs: 500, replicas: 4, floor: { is: 4, ago: 30 } },
    { is: 8, when: 'the replicas are not up to the floor yet', latencyMs: 60, replicas: 4, floor: { is: 8, ago: 60 } },
    { is: 8, when: 'it is between calm and target', latencyMs: 45, replicas: 8, floor: { is: 8, ago: 3600 } },
    { is: 8, when: 'it has not been calm for long', latencyMs: 20, replicas: 8, floor: { is: 8, ago: 119 } },
    { is: 6, when: 'it has been calm', latencyMs: 20, replicas: 8, floor: { is: 8, ago: 120 } },
    { is: 2, when: 'it has been calm, and is near the least', latencyMs: 20, replicas: 3, floor: { is: 3, ago: 120 } },
    { is: 2, when: 'it is at the least', latencyMs: 20, replicas: 2, floor: { is: 2, ago: 3600 } },
    { is: 8, when: 'nobody tells', latencyMs: undefined, replicas: 8, floor: { is: 8, ago: 3600 } },
    {
      is: 10,
      when: 'maxReplicas was lowered below it',
      latencyMs: undefined,
      replicas: 8,
      floor: { is: 12, ago: 3600 },
    },
    { is: 2, when: 'nothing was ever slow', latencyMs: 20, replicas: 8, floor: undefined },
  ])('is $is when $when', ({ is, latencyMs, replicas, floor }) => {
    const before = floor && { minReplicas: floor.is, since: seconds(floor.ago) };
    expect(floorAfter(before, scaling, { latencyMs, replicas, now })).toBe(is);
  });
});
