import { afterEach, describe, expect, it } from 'vitest';
import { lifecycle, World } from './given-world.js';

const first = { image: 'reco:1', replicas: 5, lifecycle };
const second = { ...first, image: 'reco:2' };

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
async function given(...args: Parameters<typeof World.with>): Promise<World> {
  world = await World.with(...args);
  await world.pass(30);
  return world;
}

describe('an Algorithm with a lifecycle', () => {
  it('line 1: its first version is stable at once, without a trial', async () => {
    const algorithm = await given(first);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.condition('Routed')).toMatchObject({ status: 'True', reason: 'Split' });
    expect(algorithm.condition('Ready')).toMatchObject({ status: 'True' });
    expect(algorithm.status).toMatchObject({ phase: 'Running', stable: { version: '1', weight: 100, replicas: 5 } });
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.frontSelector).toEqual({ 'gateway.networking.k8s.io/gateway-name': 'reconstruct-gateway' });
  });

  it('lines 2, 3: a good version gets its share, is promoted, and the pods of its trial go once no request reaches them', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(10);
    expect(algorithm.deployment('trial')?.['spec'].replicas).toBe(1);
    expect(algorithm.status).toMatchObject({
      phase: 'Trial',
      trial: { version: '2', weight: 20 },
      stable: { version: '1' },
    });
    await algorithm.pass(300, () => algorithm.imageOf('stable') === 'reco:2');
    expect(algorithm.imageOf('stable')).toBe('reco:2');
    await algorithm.pass(60, () => algorithm.deployment('trial') === undefined);
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.weights).toEqual([0, 20, 0]);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Baking' });
    await algorithm.pass(180);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.status).toMatchObject({ phase: 'Running', stable: { version: '2' } });
    expect(algorithm.status['trial']).toBeUndefined();
    expect(algorithm.status['history']).toMatchObject([
      { image: 'reco:2', outcome: 'Promoted', why: expect.stringContaining('succeeded') },
      { image: 'reco:1', outcome: 'Promoted', to: expect.any(String), why: 'the first version' },
    ]);
  });
});
