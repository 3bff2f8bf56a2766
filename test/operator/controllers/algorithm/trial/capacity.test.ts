import { describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { Loose } from '../../../../given.js';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle, type World } from './given-world.js';

const scaling = { minReplicas: 2, maxReplicas: 20 };
const first = { image: 'reco:1', lifecycle: { ...lifecycle, canaryWeight: 90 }, scaling };
const second = { ...first, image: 'reco:2' };
/** Ten Pods are busy with all requests, and a Pod starts in a second. */
const busy = { load: 10, rate: 400, startedPerSecond: 1 };

const given = givenAlgorithm(40);

/** The Pods of a side that answer. */
const ready = (algorithm: World, side: 'stable' | 'trial') =>
  algorithm.deployment(side)?.status?.availableReplicas ?? 0;

const leastReplicas = (algorithm: World) =>
  (algorithm.memory.peek(HorizontalPodAutoscaler).get('team/reco') as unknown as Loose)?.['spec'].minReplicas;

/** A change of the share of the version on trial, with the Pods that were ready on the side that got more. */
interface Move {
  readonly to: number;
  readonly ready: number;
}

/** The moves of the requests in so many seconds. */
async function movesIn(algorithm: World, seconds: number): Promise<readonly Move[]> {
  const moves: Move[] = [];
  let [share = 0] = algorithm.weights.slice(-1);
  await algorithm.pass(seconds, () => {
    const to = algorithm.weights.at(-1) ?? 0;
    if (to !== share) moves.push({ to, ready: ready(algorithm, to > share ? 'trial' : 'stable') });
    share = to;
    return false;
  });
  return moves;
}

describe('with an autoscaler, a side gets no more requests before it has the Pods for them', () => {
  it('a promotion', async () => {
    const algorithm = await given(first, busy);
    await algorithm.apply(second);
    expect(await movesIn(algorithm, 300)).toEqual([
      { to: 90, ready: 9 },
      { to: 0, ready: 10 },
    ]);
    expect(algorithm.imageOf('stable')).toBe('reco:2');
  });

  it('a promotion after the requests have become more', async () => {
    const algorithm = await given(first, { ...busy, rate: 1 });
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.weights.at(-1) === 90);
    algorithm.load = 15;
    await algorithm.pass(60);
    expect(ready(algorithm, 'trial')).toBe(14);
    algorithm.rate = 400;
    expect(await movesIn(algorithm, 200)).toEqual([{ to: 0, ready: 15 }]);
  });

  it('a promotion never needs more than maxReplicas', async () => {
    const algorithm = await given({ ...first, scaling: { minReplicas: 2, maxReplicas: 6 } }, busy);
    await algorithm.apply({ ...second, scaling: { minReplicas: 2, maxReplicas: 6 } });
    expect(await movesIn(algorithm, 300)).toEqual([
      { to: 90, ready: 6 },
      { to: 0, ready: 6 },
    ]);
  });

  it('each step, though the stable side could shrink', async () => {
    const steps = [{ weight: 10 }, { weight: 50 }, { weight: 90 }];
    const algorithm = await given({ ...first, lifecycle: { ...lifecycle, steps } }, busy);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, steps } });
    expect(await movesIn(algorithm, 900)).toEqual([
      { to: 10, ready: 1 },
      { to: 50, ready: 5 },
      { to: 90, ready: 9 },
      { to: 0, ready: 10 },
    ]);
  });

  it('a rollback, which waits for nothing', async () => {
    const algorithm = await given(first, { ...busy, behaviours: { 'reco:2': { failing: 0.1 } } });
    await algorithm.apply(second);
    expect(await movesIn(algorithm, 200)).toEqual([
      { to: 90, ready: 9 },
      { to: 0, ready: 10 },
    ]);
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'RolledBack' });
  });

  it('an edit that lowers the share', async () => {
    const algorithm = await given(first, { ...busy, rate: 1 });
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.weights.at(-1) === 90);
    algorithm.load = 15;
    await algorithm.pass(60);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, canaryWeight: 10 } });
    expect(await movesIn(algorithm, 60)).toEqual([{ to: 10, ready: 15 }]);
  });

  it('a version that is withdrawn in the middle of its trial', async () => {
    const algorithm = await given(first, { ...busy, rate: 1 });
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.weights.at(-1) === 90);
    await algorithm.pass(30);
    await algorithm.apply(first);
    expect(await movesIn(algorithm, 60)).toEqual([{ to: 0, ready: 10 }]);
    await algorithm.apply(second);
    expect(await movesIn(algorithm, 60)).toEqual([{ to: 90, ready: 9 }]);
  });
});

describe('the minimum of the autoscaler', () => {
  it('is that of the spec again when the autoscaler has measured the last move, and nothing is written after that', async () => {
    const algorithm = await given(first, busy);
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.imageOf('stable') === 'reco:2' && algorithm.weights.at(-1) === 0);
    await algorithm.pass(60);
    expect(leastReplicas(algorithm)).toBe(10);
    await algorithm.pass(240);
    expect(leastReplicas(algorithm)).toBe(2);
    expect(algorithm.status['trial']).toBeUndefined();
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'Stable' });
  });

  it('is that of the spec after a rollback, while the version stays rolled back', async () => {
    const algorithm = await given(first, { ...busy, behaviours: { 'reco:2': { failing: 0.1 } } });
    await algorithm.apply(second);
    await algorithm.pass(600, () => algorithm.status['phase'] === 'RolledBack');
    expect(leastReplicas(algorithm)).toBe(10);
    await algorithm.pass(200);
    expect(leastReplicas(algorithm)).toBe(2);
    const { resourceVersion } = algorithm.resource.metadata;
    await algorithm.pass(300);
    expect(algorithm.resource.metadata.resourceVersion).toBe(resourceVersion);
  });
});
