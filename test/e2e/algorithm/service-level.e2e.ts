import { describe, expect, test } from 'vitest';
import type { AlgorithmResource } from '../../../imports/index.js';
import { Deployment, type LiveDeployment } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { stretchesOf, tallyOf } from '../client/tally.js';
import { listed, read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { underKills } from '../cluster/kill-mode.js';
import { Pod } from '../cluster/kinds.js';
import { figure, seconds } from './figure.js';
import { isIn, isRouted, quick, said, specOf, TriedAlgorithm } from './tried-algorithm.js';

const namespace = givenNamespace('held');
/** Milliseconds for which a version is good: longer than its trial, which takes its time where nobody leads for most of it. */
const goodFor = underKills ? 180_000 : 60_000;
const variable = (name: string, value: string) => ({ name, value });

describe('the version that runs', () => {
  test.concurrent('line 6: a version that fails during its bake is rolled back', async () => {
    const baking = new TriedAlgorithm(namespace, 'baking', {
      ...specOf('1.0.0'),
      replicas: 1,
      lifecycle: { ...quick({ bake: '4m' }), canaryWeight: 50 },
    });
    await begun(baking);
    await baking.ask('asks-baking', { rate: 100, keepAlive: true });
    const env = [variable('GOOD_FOR_MS', String(goodFor)), variable('ERROR_RATE', '0.2')];
    await baking.apply({ image: serverImage('1.1.0'), podTemplate: { env } });
    const promoted = await baking.until('promoted', ({ status }) => status?.stable?.version === '1.1.0', 120);
    const back = await baking.until(
      'back at the previous version',
      ({ status }) => status?.stable?.version === '1.0.0',
      240,
    );
    figure(
      6,
      `back ${seconds(promoted, back)} after the promotion: ${(await baking.live()).status?.history?.[0]?.why}`,
    );
    await baking.until('it says so', isIn('RolledBack'));
    const podsOf = () => listed(Pod, { namespace, labelSelector: 'app.kubernetes.io/instance=baking' });
    const isGone = async () => (await podsOf()).every(({ spec }) => spec.containers[0]?.image === serverImage('1.0.0'));
    await until(isGone, { what: 'no pod of the bad version is left', within: 60_000 });
    expect(stretchesOf((await baking.tallyOfNext(500)).failed)).toEqual([]);
  });

  test.concurrent('line 10: the status reports a breach of the service level with its burn rate', async () => {
    const breached = new TriedAlgorithm(namespace, 'breached', {
      ...specOf('1.2.0'),
      replicas: 1,
      lifecycle: quick(),
      sla: { availability: 0.999, window: '1m' },
    });
    await begun(breached);
    const asked = Date.now();
    await breached.ask('asks-breached', { rate: 100, keepAlive: true });
    const said10 = await breached.until('SlaMet is False', ({ status }) =>
      Boolean(status?.conditions?.some(({ type, status }) => type === 'SlaMet' && status === 'False')),
    );
    const live = await breached.live();
    figure(10, `said ${seconds(asked, said10)} after the client’s start: ${said(live, 'SlaMet')}`);
    expect(live.status?.sla?.burnRate).toBeGreaterThan(1);
  });

  // Two minutes of calm are waited for, after a minute in which more replicas may have come.
  test.concurrent('line 9: one that is too slow under its load gets replicas within a minute, no more than it may, and gives them back after calm', {
    timeout: 600_000,
  }, async () => {
    const loaded = new TriedAlgorithm(namespace, 'loaded', {
      ...specOf('1.0.0'),
      podTemplate: { env: [variable('ABREAST', '1'), variable('LATENCY_MS', '20')] },
      // So much that the use of it asks for no replica.
      resources: { requests: { cpu: '400m', memory: '128Mi' } },
      scaling: { minReplicas: 1, maxReplicas: 3, targetLatencyMs: 500 },
      lifecycle: quick(),
    });
    await begun(loaded);
    const asked = Date.now();
    const load = await loaded.ask('asks-loaded', { rate: 60, keepAlive: true });
    const scaled = await loaded.until('more replicas', ({ status }) => (status?.replicas ?? 0) > 1, 120);
    figure(9, `scaled ${seconds(asked, scaled)} after the load began`);
    expect(scaled - asked).toBeLessThan(60_000);
    const met = await loaded.until('they answer in time', isMet, 180);
    figure(9, `back below its target ${seconds(asked, met)} after the load began`);
    expect(stretchesOf((await loaded.tallyOfNext(1000)).failed)).toEqual([]);
    const { spec, metadata } = (await read(Deployment, { namespace, name: 'loaded' })) ?? missing('loaded');
    expect(spec.replicas).toBeLessThanOrEqual(3);
    expect(writersOf(metadata)).toEqual(['kube-controller-manager']);

    const most = spec.replicas ?? 0;
    await load.stop();
    const calmed = Date.now();
    const calm = new TriedAlgorithm(namespace, 'loaded', loaded.spec);
    await calm.ask('asks-calmly', { rate: 5, keepAlive: true });
    const lowered = await calm.until('fewer replicas', ({ status }) => (status?.replicas ?? most) < most, 300);
    figure(9, `from ${most} replicas down ${seconds(calmed, lowered)} after the load ended`);
    await calm.tallyOfNext(50);
    expect(stretchesOf(tallyOf(await calm.periods()).failed)).toEqual([]);
  });
});

function missing(name: string): never {
  throw new Error(`there is no Deployment ${name}`);
}

/** Applies an Algorithm, and waits until its requests go through the gateway, which counts them. */
async function begun(algorithm: TriedAlgorithm): Promise<void> {
  await algorithm.apply();
  await algorithm.until('it runs', isIn('Running'));
  await algorithm.until('the gateway splits its requests', isRouted);
}

/** Whether its latency is below its target. */
function isMet({ status }: AlgorithmResource): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'LatencyMet' && is === 'True') ?? false;
}

/** Who states the replicas of a Deployment, as its `managedFields` tell. */
function writersOf(metadata: LiveDeployment['metadata']): readonly string[] {
  const { managedFields = [] } = metadata as {
    readonly managedFields?: readonly { readonly manager: string; readonly fieldsV1: { 'f:spec'?: object } }[];
  };
  return managedFields
    .filter(({ fieldsV1 }) => 'f:replicas' in (fieldsV1['f:spec'] ?? {}))
    .map(({ manager }) => manager);
}
