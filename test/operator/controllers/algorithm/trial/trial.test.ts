import { describe, expect, it } from 'vitest';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle } from './given-world.js';

const first = { image: 'reco:1', replicas: 5, lifecycle };
const second = { ...first, image: 'reco:2' };

const given = givenAlgorithm(30);

describe('an Algorithm with a lifecycle', () => {
  it('line 1: its first version is stable at once, without a trial', async () => {
    const algorithm = await given(first);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.condition('Routed')).toMatchObject({ status: 'True', reason: 'TrafficSplit' });
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
      { image: 'reco:1', outcome: 'Promoted', to: expect.any(String), why: 'First version' },
    ]);
  });

  it('line 2: each step has the pods for its share before it gets the share', async () => {
    const steps = [{ weight: 1 }, { weight: 50 }, { weight: 99 }];
    const stepped = { ...second, lifecycle: { ...lifecycle, steps } };
    const algorithm = await given({ ...first, lifecycle: stepped.lifecycle }, { rate: 400 });
    await algorithm.apply(stepped);
    const sizes = new Map<number, number>();
    await algorithm.pass(900, () => {
      const { weight } = algorithm.status['trial'] ?? {};
      if (weight > 0 && !sizes.has(weight)) sizes.set(weight, algorithm.deployment('trial')?.spec.replicas ?? 0);
      return algorithm.imageOf('stable') === 'reco:2';
    });
    expect([...sizes]).toEqual([
      [1, 1],
      [50, 3],
      [99, 5],
    ]);
    expect(algorithm.deployment('stable')?.spec.replicas).toBe(5);
    expect(algorithm.weights).toEqual([0, 1, 50, 99]);
  });

  it('line 4: a bad version gets no request any more before its pods go, and is not tried again', async () => {
    const algorithm = await given(first, { behaviours: { 'reco:2': { failing: 0.1 } } });
    await algorithm.apply(second);
    await algorithm.pass(600, () => algorithm.condition('Promoted')?.['status'] === 'False');
    expect(algorithm.condition('Promoted')).toMatchObject({
      reason: 'RolledBack',
      message: expect.stringMatching(/requests succeeded \(at most .*below the threshold of 99%/),
    });
    expect(algorithm.condition('Deployed')).toMatchObject({ status: 'False', reason: 'RolledBack' });
    expect(algorithm.deployment('trial')).toBeDefined();
    await algorithm.pass(60, () => algorithm.deployment('trial') === undefined);
    expect(algorithm.deployment('trial')).toBeUndefined();
    await algorithm.pass(5);
    expect(algorithm.status).toMatchObject({ phase: 'RolledBack', stable: { version: '1' } });
    expect(algorithm.status['history'][0]).toMatchObject({ image: 'reco:2', outcome: 'RolledBack' });
    expect(algorithm.events.some((event) => event.startsWith('RolledBack: '))).toBe(true);
    await algorithm.pass(900);
    expect(algorithm.weights).toEqual([0, 20, 0]);
    expect(algorithm.imageOf('stable')).toBe('reco:1');
  });

  it('line 4: its pods stay while a proxy still sends requests to it', async () => {
    const algorithm = await given(first, { behaviours: { 'reco:2': { failing: 0.1 } } });
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.pass(5);
    algorithm.isStuck = true;
    await algorithm.pass(600, () => algorithm.condition('Promoted')?.['status'] === 'False');
    await algorithm.pass(240);
    expect(algorithm.deployment('trial')).toBeDefined();
    expect(algorithm.status).toMatchObject({ phase: 'RollingBack' });
    algorithm.isStuck = false;
    await algorithm.pass(60);
    expect(algorithm.deployment('trial')).toBeUndefined();
  });

  it('line 4: going back to the stable version is quick and silent', async () => {
    const algorithm = await given(first, { behaviours: { 'reco:2': { failing: 0.1 } } });
    await algorithm.apply(second);
    await algorithm.pass(900, () => algorithm.status['phase'] === 'RolledBack');
    const before = algorithm.weights.length;
    await algorithm.apply(first);
    await algorithm.pass(5);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'True', reason: 'Stable' });
    expect(algorithm.status).toMatchObject({ phase: 'Running' });
    expect(algorithm.status['trial']).toBeUndefined();
    expect(algorithm.weights.length).toBe(before);
    expect(algorithm.events.filter((event) => event.startsWith('TrialStarted'))).toHaveLength(1);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.pass(2);
    expect(algorithm.weights).toEqual([0, 20, 0, 20]);
  });

  it('line 4: back to the stable version in the middle of a trial, its pods go when no request reaches them', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    await algorithm.pass(5);
    await algorithm.apply(first);
    await algorithm.pass(3);
    expect(algorithm.imageOf('trial')).toBe('reco:2');
    expect(algorithm.weights).toEqual([0, 20, 0]);
    await algorithm.pass(60);
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.status['history'][0]).toMatchObject({ outcome: 'Withdrawn', image: 'reco:2' });
  });

  it('line 4: a change in the middle of a trial begins a new one against the same stable version', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    const { id } = algorithm.status['trial'];
    await algorithm.apply({ ...first, image: 'reco:3' });
    await algorithm.pass(60, () => algorithm.imageOf('trial') === 'reco:3' && algorithm.status['trial'].weight === 20);
    expect(algorithm.status).toMatchObject({ trial: { version: '3' }, stable: { version: '1' } });
    expect(algorithm.status['trial'].id).not.toBe(id);
    expect(algorithm.status['history'][0]).toMatchObject({ outcome: 'Superseded', image: 'reco:2' });
    await algorithm.pass(900, () => algorithm.imageOf('stable') === 'reco:3');
    expect(algorithm.imageOf('stable')).toBe('reco:3');
  });

  it('line 4: a version is judged by its own requests alone, not by those of the one that was on trial before', async () => {
    const algorithm = await given(first, { rate: 400, behaviours: { 'reco:3': { failing: 0.1 } } });
    const unhurried = { ...lifecycle, trial: { ...lifecycle.trial, minRequests: 1_000_000 } };
    await algorithm.apply({ ...second, lifecycle: unhurried });
    await algorithm.pass(60);
    expect(algorithm.status['trial'].requests).toBeGreaterThan(1000);
    await algorithm.apply({ ...first, image: 'reco:3' });
    await algorithm.pass(60, () => algorithm.status['trial']?.requests > 0);
    expect(algorithm.status['trial']).toMatchObject({ version: '3', success: expect.closeTo(0.9, 1) });
    await algorithm.pass(120, () => algorithm.status['phase'] === 'RolledBack');
    expect(algorithm.status).toMatchObject({ phase: 'RolledBack', stable: { version: '1' } });
  });

  it('line 6: in its bake it is judged by what it has answered alone, not by what the previous version did', async () => {
    const algorithm = await given(first, { rate: 400 });
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.condition('Promoted')?.['reason'] === 'Baking');
    const before = algorithm.requestsOf('reco-stable');
    const { sentence } = algorithm.status['verdict'];
    await algorithm.pass(60, () => algorithm.status['verdict'].sentence !== sentence);
    const since = algorithm.requestsOf('reco-stable') - before;
    expect(algorithm.status['verdict'].success.count).toBeLessThanOrEqual(since);
  });

  it('line 5: a version whose pods never become ready gets no request, ends at the deadline, and says why', async () => {
    const hindrance = 'the container exits with code 1';
    const crashing = { behaviours: { 'reco:2': { crashes: true } }, hindrance };
    const algorithm = await given(first, crashing);
    await algorithm.apply(second);
    await algorithm.pass(60);
    expect(algorithm.condition('Promoted')).toMatchObject({
      reason: 'Starting',
      message: expect.stringMatching(`0 of 1 replicas.*: ${hindrance}$`),
    });
    await algorithm.pass(1300, () => algorithm.condition('Promoted')?.['status'] === 'False');
    expect(algorithm.condition('Promoted')).toMatchObject({
      reason: 'DeadlineExceeded',
      message: expect.stringMatching(`Not proved good within 20 min.*0 of 1 replicas.*: ${hindrance}$`),
    });
    expect(algorithm.requestsOf('reco-trial')).toBe(0);
    await algorithm.pass(60);
    expect(algorithm.deployment('trial')).toBeUndefined();
  });

  it('line 5: what kept the pods of a version is said at its deadline, though nobody tells it any more by then', async () => {
    const hindrance = 'the image reco:2 cannot be pulled';
    const crashing = { behaviours: { 'reco:2': { crashes: true } }, hindrance };
    const algorithm = await given(first, crashing);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, trial: { ...lifecycle.trial, deadline: '2m' } } });
    await algorithm.pass(60);
    algorithm.isMute = true;
    await algorithm.pass(120, () => algorithm.condition('Promoted')?.['status'] === 'False');
    expect(algorithm.condition('Promoted')).toMatchObject({
      reason: 'DeadlineExceeded',
      message: expect.stringMatching(`: ${hindrance}$`),
    });
  });

  it('line 6: a version that turns bad in its bake is replaced by the one before', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(600, () => algorithm.condition('Promoted')?.['reason'] === 'Baking');
    algorithm.behaviours = { 'reco:2': { failing: 0.2 } };
    await algorithm.pass(300, () => algorithm.imageOf('stable') === 'reco:1');
    expect(algorithm.imageOf('stable')).toBe('reco:1');
    await algorithm.pass(30);
    expect(algorithm.condition('Promoted')).toMatchObject({ status: 'False', reason: 'RolledBack' });
    expect(algorithm.status).toMatchObject({ phase: 'RolledBack', stable: { version: '1' } });
    expect(algorithm.status['history']).toMatchObject([
      { image: 'reco:1', outcome: 'Promoted', why: expect.stringContaining('Restored') },
      { image: 'reco:2', outcome: 'RolledBack' },
      { image: 'reco:1', outcome: 'Promoted', why: 'First version' },
    ]);
    await algorithm.pass(300);
    expect(algorithm.imageOf('stable')).toBe('reco:1');
  });

  it('line 6: a promotion whose pods do not come up goes back, however good the version was on trial', async () => {
    const algorithm = await given(first, { behaviours: { 'reco:2': { failsInPlace: true } } });
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.condition('Promoted')?.['status'] === 'False');
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'RolloutFailed' });
    await algorithm.pass(60);
    expect(algorithm.imageOf('stable')).toBe('reco:1');
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.status).toMatchObject({ phase: 'RolledBack', stable: { version: '1' } });
  });

  it('line 7: without numbers a version is neither promoted nor taken back, and that is said', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    algorithm.isDeaf = true;
    await algorithm.pass(300);
    expect(algorithm.condition('Promoted')).toMatchObject({
      status: 'Unknown',
      reason: 'MetricsUnavailable',
      message: expect.stringContaining('No metrics'),
    });
    algorithm.isDeaf = false;
    await algorithm.pass(300, () => algorithm.imageOf('stable') === 'reco:2');
    expect(algorithm.imageOf('stable')).toBe('reco:2');
  });

  it('line 7: without numbers the deadline decides', async () => {
    const algorithm = await given(first, { isDeaf: true });
    await algorithm.apply(second);
    await algorithm.pass(1300, () => algorithm.condition('Promoted')?.['status'] === 'False');
    expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'DeadlineExceeded' });
    await algorithm.pass(200);
    expect(algorithm.deployment('trial')).toBeUndefined();
  });
});
