import { describe, expect, it } from 'vitest';
import type { Loose } from '../../../../given.js';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle } from './given-world.js';

const first = { image: 'reco:1', replicas: 5, lifecycle };
const second = { ...first, image: 'reco:2' };

const given = givenAlgorithm(30);

describe('who steps in', () => {
  it('line 11: while it is paused, nothing is done and no time goes by', async () => {
    const brief = { ...lifecycle, trial: { ...lifecycle.trial, deadline: '4m' } };
    const next = { ...second, lifecycle: brief };
    const algorithm = await given({ ...first, lifecycle: brief });
    await algorithm.apply(next);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.apply({ ...next, lifecycle: { ...brief, paused: true } });
    await algorithm.pass(300);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'Unknown', reason: 'Paused' });
    expect(algorithm.status).toMatchObject({ phase: 'Paused', trial: { weight: 20 }, stable: { version: '1' } });
    await algorithm.apply(next);
    await algorithm.pass(60, () => algorithm.imageOf('stable') === 'reco:2');
    expect(algorithm.imageOf('stable')).toBe('reco:2');
  });

  it('line 11: a version gets no requests while it is paused that it had not got before, and gets them afterwards', async () => {
    const algorithm = await given(first, { behaviours: { 'reco:2': { crashes: true } } });
    await algorithm.apply(second);
    await algorithm.pass(5);
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'Starting' });
    const paused = { ...lifecycle, paused: true };
    await algorithm.apply({ ...second, lifecycle: paused });
    algorithm.behaviours = {};
    await algorithm.pass(60);
    expect(algorithm.deployment('trial')?.status?.availableReplicas).toBe(1);
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'Paused' });
    expect(algorithm.weights).toEqual([0]);
    await algorithm.apply(second);
    await algorithm.pass(15);
    expect(algorithm.weights).toEqual([0, 20]);
  });

  it('line 11: a larger share that is asked for while it is paused is given afterwards', async () => {
    const small = { ...lifecycle, canaryWeight: 10 };
    const algorithm = await given({ ...first, lifecycle: small });
    await algorithm.apply({ ...second, lifecycle: small });
    await algorithm.pass(60, () => algorithm.weights.at(-1) === 10);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, paused: true } });
    await algorithm.pass(30);
    expect(algorithm.weights).toEqual([0, 10]);
    await algorithm.apply(second);
    await algorithm.pass(15);
    expect(algorithm.weights).toEqual([0, 10, 20]);
  });

  it('line 11: a version that loses its pods while it is paused has its share again when they are back', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.weights.at(-1) === 20);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, paused: true } });
    await algorithm.pass(5);
    algorithm.behaviours = { 'reco:2': { crashes: true } };
    await algorithm.pass(10);
    algorithm.behaviours = {};
    await algorithm.pass(10);
    expect(algorithm.weights).toEqual([0, 20, 0, 20]);
  });

  it('a version that comes while it is paused waits', async () => {
    const paused = { ...lifecycle, paused: true };
    const algorithm = await given({ ...first, lifecycle: paused });
    await algorithm.apply({ ...second, lifecycle: paused });
    await algorithm.pass(60);
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.imageOf('stable')).toBe('reco:1');
    expect(algorithm.status).toMatchObject({ phase: 'Paused' });
  });

  it('may promote the version on trial, or abort its trial, and means no later one', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    const abort = { 'ai.alien6.io/trial': `abort ${algorithm.status['trial'].id}` };
    await algorithm.apply(second, { annotations: abort });
    await algorithm.pass(60);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'False', reason: 'Aborted' });
    expect(algorithm.deployment('trial')).toBeUndefined();
    await algorithm.apply(first, { annotations: abort });
    await algorithm.pass(5);
    await algorithm.apply(second, { annotations: abort });
    await algorithm.pass(30);
    expect(algorithm.status['trial'].weight).toBe(20);
    const promote = { 'ai.alien6.io/trial': `promote ${algorithm.status['trial'].id}` };
    await algorithm.apply(second, { annotations: promote });
    await algorithm.pass(10);
    expect(algorithm.imageOf('stable')).toBe('reco:2');
  });

  it('line 6: a version that somebody has promoted goes back when it turns bad in its bake', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.apply(second, { annotations: ordered('promote', algorithm) });
    await algorithm.pass(30);
    expect(algorithm.imageOf('stable')).toBe('reco:2');
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Baking' });
    expect(algorithm.events).toContain(
      'PromotionRequested: Started the promotion of 2 to the stable version: The trial annotation requested the promotion',
    );
    expect(algorithm.events.join()).not.toMatch(/TrialSucceeded|BakeCompleted/);
    algorithm.behaviours = { 'reco:2': { failing: 0.2 } };
    await algorithm.pass(90, () => algorithm.imageOf('stable') === 'reco:1');
    expect(algorithm.imageOf('stable')).toBe('reco:1');
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'False', reason: 'RolledBack' });
  });

  it('line 6: a version that somebody has promoted goes back when they abort it, and else stays after its bake', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.apply(second, { annotations: ordered('promote', algorithm) });
    await algorithm.pass(30);
    await algorithm.apply(second, { annotations: ordered('abort', algorithm) });
    await algorithm.pass(10);
    expect(algorithm.imageOf('stable')).toBe('reco:1');
    const third = { ...first, image: 'reco:3' };
    await algorithm.apply(third);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.apply(third, { annotations: ordered('promote', algorithm) });
    await algorithm.pass(200);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.events).toContainEqual(
      expect.stringMatching(/^BakeCompleted: Kept 3 as .*: its bake of 2m ended$/),
    );
  });

  it('may end the bake of a version that was proved good', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(600, () => algorithm.condition('Promoted')?.['reason'] === 'Baking');
    await algorithm.apply(second, { annotations: ordered('promote', algorithm) });
    await algorithm.pass(5);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.events).toContainEqual(
      expect.stringMatching(/^BakeCompleted: .*: The trial annotation requested the end/),
    );
  });
});

function ordered(verb: 'promote' | 'abort', { status }: { readonly status: Loose }) {
  return { 'ai.alien6.io/trial': `${verb} ${status['trial'].id}` };
}
