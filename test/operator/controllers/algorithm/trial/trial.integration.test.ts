import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorld } from './given-real-world.js';

const lifecycle = {
  canaryWeight: 20,
  trial: { interval: '1s', minRequests: 50, deadline: '2m', bake: '3s' },
  variants: [{ name: 'b', match: { header: { 'x-variant': 'b' } } }],
  latency: { percentile: 95 },
} as const;
const scaling = { minReplicas: 2, maxReplicas: 10, targetLatencyMs: 50 };
const spec = {
  lifecycle,
  scaling,
  sla: { availability: 0.99, window: '1m' },
  podTemplate: { env: [{ name: 'A', value: '1' }] },
};

let world: RealWorld;
beforeAll(async () => {
  world = await RealWorld.start();
}, 300_000);
afterAll(async () => {
  await world?.stop();
});

describe('on the real API server, under the rights that the controllers derive', () => {
  it('line 1: First version is stable at once', async () => {
    await world.apply({ image: 'reco:1', ...spec });
    await world.until(() => world.condition('Promoted'), 'True Stable');
    await world.until(() => world.condition('Routed'), 'True TrafficSplit');
    await world.until(() => world.condition('Ready'), 'True Ready');
    await world.until(() => world.condition('SlaMet'), 'True Met');
  }, 300_000);

  it('line 3: a good version is tried, promoted, baked, and the trial leaves nothing behind', async () => {
    await world.apply({ image: 'reco:2', ...spec });
    await world.until(async () => (await world.resource()).status?.trial?.weight, 20);
    await world.until(() => world.imageOf('reco'), 'reco:2');
    await world.until(() => world.imageOf('reco-trial'), undefined);
    await world.until(async () => (await world.resource()).status?.trial, undefined);
    const { status } = await world.resource();
    expect(status).toMatchObject({ phase: 'Running', stable: { version: '2' } });
    expect(status?.history?.map(({ image, outcome }) => `${image} ${outcome}`)).toEqual([
      'reco:2 Promoted',
      'reco:1 Promoted',
    ]);
  }, 300_000);

  it('line 4: a bad version is taken back', async () => {
    world.behaviours = { 'reco:3': { failing: 0.3 } };
    await world.apply({ image: 'reco:3', ...spec });
    await world.until(() => world.condition('Promoted'), 'False RolledBack');
    await world.until(async () => (await world.resource()).status?.phase, 'RolledBack');
    expect(await world.imageOf('reco')).toBe('reco:2');
    expect(await world.imageOf('reco-trial')).toBeUndefined();
  }, 300_000);

  it('line 11: without its lifecycle it is a plain one again', async () => {
    await world.apply({ image: 'reco:4' });
    await world.until(() => world.imageOf('reco'), 'reco:4');
    await world.until(() => world.condition('Routed'), undefined);
    expect((await world.resource()).status).not.toHaveProperty('history');
    expect(world.complaints.filter((line) => line.includes('pass failed'))).toEqual([]);
  }, 300_000);
});
