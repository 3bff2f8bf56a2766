import { describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '../../../../../operator/runtime/kubernetes/kinds.js';
import { givenAlgorithm } from '../trial/given-algorithm.js';
import { lifecycle } from '../trial/given-world.js';

const scaling = { minReplicas: 2, maxReplicas: 10, targetLatencyMs: 50 };
const plain = { image: 'reco:1', lifecycle: { ...lifecycle, canaryWeight: 0 } };

const given = givenAlgorithm(40);

describe('line 9: an Algorithm with a target for its latency', () => {
  it('has its replicas raised within a minute, never above maxReplicas, and lowered when it is calm', async () => {
    const algorithm = await given({ ...plain, scaling });
    const replicas = () => algorithm.deployment('stable')?.spec.replicas;
    expect(algorithm.condition('LatencyMet')).toMatchObject({ status: 'True', reason: 'Met' });
    expect(replicas()).toBe(2);
    algorithm.behaviours = { 'reco:1': { slow: 0.2 } };
    expect(await algorithm.pass(60, () => (replicas() ?? 0) > 2)).toBeLessThan(60);
    expect(algorithm.condition('LatencyMet')).toMatchObject({ status: 'False', reason: 'TargetExceeded' });
    const seen = new Set<number | undefined>();
    await algorithm.pass(300, () => !seen.add(replicas()));
    expect([...seen]).toEqual([4, 8, 10]);
    expect(algorithm.condition('LatencyMet')).toMatchObject({ reason: 'MaxReplicasReached' });
    algorithm.behaviours = {};
    await algorithm.pass(1200, () => replicas() === 2);
    expect(replicas()).toBe(2);
    expect(algorithm.condition('LatencyMet')).toMatchObject({ reason: 'Met' });
  });

  it('leaves `replicas` to the autoscaler: nothing of ours states the number', async () => {
    const algorithm = await given({ ...plain, scaling }, { behaviours: { 'reco:1': { slow: 0.2 } } });
    await algorithm.pass(120);
    const { managedFields } = (algorithm.deployment('stable')?.metadata ?? {}) as {
      readonly managedFields?: readonly { manager: string }[];
    };
    const ours = managedFields?.filter(({ manager }) => manager.startsWith('reconstruct-'));
    expect(JSON.stringify(ours)).toContain('f:template');
    expect(JSON.stringify(ours)).not.toContain('f:replicas');
  });

  it('keeps its replicas while nobody tells, and says so', async () => {
    const algorithm = await given({ ...plain, scaling }, { isDeaf: true });
    expect(algorithm.condition('LatencyMet')).toMatchObject({ status: 'Unknown', reason: 'MetricsUnavailable' });
    expect(algorithm.memory.peek(HorizontalPodAutoscaler).get('team/reco')).toMatchObject({ spec: { minReplicas: 2 } });
  });
});

describe('line 10: an Algorithm with a service level', () => {
  const sla = { availability: 0.99, window: '10m' };

  it('says within an interval that it falls short, how fast, and when it is met again', async () => {
    const algorithm = await given({ ...plain, sla });
    expect(algorithm.condition('SlaMet')).toMatchObject({ status: 'True', reason: 'Met' });
    expect(algorithm.condition('Ready')).toMatchObject({ status: 'True' });
    algorithm.behaviours = { 'reco:1': { failing: 0.5 } };
    expect(await algorithm.pass(60, () => algorithm.condition('SlaMet')?.['status'] === 'False')).toBeLessThanOrEqual(
      12,
    );
    expect(algorithm.status['sla'].burnRate).toBeGreaterThan(1);
    algorithm.behaviours = {};
    await algorithm.pass(900, () => algorithm.condition('SlaMet')?.['status'] === 'True');
    expect(algorithm.condition('SlaMet')).toMatchObject({ reason: 'Met' });
  });

  it('is written once a minute while nothing is news, and loses nothing to a killed operator but a minute', async () => {
    const algorithm = await given({ ...plain, sla: { ...sla, window: '1h' } });
    await algorithm.pass(60);
    algorithm.memory.forgetWrites();
    await algorithm.pass(600);
    const writes = algorithm.operator.writes.filter((write) => write.includes('Algorithm/status'));
    expect(writes.length).toBeLessThanOrEqual(11);
    const before = algorithm.status['sla'].requests;
    await algorithm.kill();
    await algorithm.pass(200);
    expect(algorithm.status['sla'].requests).toBeGreaterThan(before);
    expect(algorithm.requestsOf('reco-stable') - algorithm.status['sla'].requests).toBeLessThan(40 * 160);
  });

  it('asks nobody without sla and targetLatencyMs, and takes back what it said', async () => {
    const algorithm = await given({ ...plain, sla });
    await algorithm.apply(plain);
    await algorithm.pass(5);
    expect(algorithm.condition('SlaMet')).toBeUndefined();
    expect(algorithm.status['sla']).toBeUndefined();
    const asked = algorithm.asked;
    await algorithm.pass(120);
    expect(algorithm.asked).toBe(asked);
  });
});
