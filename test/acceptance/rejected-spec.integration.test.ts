import { Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { ConfigMap, defaults, defineController, RejectedError, runOperator } from '../../operator/index.js';
import { KubeObject } from '../../src/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { quiet } from './given/audit.js';
import { installedOnce } from './given/operator.js';
import { Site } from './given/site.js';
import { warnings } from './given/warnings.js';

/** The API server itself refuses every Algorithm that ours would reject, so here is one with a mind of its own. */
const picky = defineController({
  kind: algorithmKind,
  name: 'picky',
  owns: [ConfigMap],
  conditions: {},
  desire: (scope, { resource }) => {
    const { name, namespace } = resource.metadata;
    if (resource.spec.replicas === 0) throw new RejectedError('NothingToRun', 'set replicas to 1 or more, got 0');
    if (resource.spec.replicas === 13) scope.node.addValidation({ validate: () => ['13 brings bad luck'] });
    const data = { image: resource.spec.image };
    const metadata = { name, namespace: namespace ?? Chart.of(scope).namespace };
    new KubeObject(scope, 'config', { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...{ data } });
  },
  assess: () => ({ conditions: {} }),
});

const stop = new AbortController();
let running: Promise<void>;
let site: Site;
beforeAll(async () => {
  const controlPlane = givenControlPlane();
  await installedOnce(controlPlane);
  site = await Site.fresh(controlPlane, 'rejecting');
  const namespaces = [site.namespace];
  const config = { ...defaults, namespaces, metricsPort: 0, healthPort: 0, logLevel: 'silent' as const };
  const connection = await kubeconfig(controlPlane.kubeconfig);
  running = runOperator([picky], { config, connection, signal: stop.signal });
});
afterAll(async () => {
  stop.abort();
  await running;
});

describe('a spec that the controller rejects', () => {
  test.each([
    ['by an error', 0, 'NothingToRun', 'set replicas to 1 or more, got 0'],
    ['by a construct’s validation', 13, 'Invalid', '13 brings bad luck'],
  ])('R24 R27 %s leaves what runs, mends it, and says why', async (_, replicas, reason, message) => {
    const name = reason.toLowerCase();
    await site.bring(name, { image: 'server:1' });
    const before = await site.read(ConfigMap, name);
    expect(before).toMatchObject({ data: { image: 'server:1' } });

    await site.bring(name, { image: 'server:2', replicas });
    expect((await site.read(ConfigMap, name))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    expect(await site.condition(name, 'Accepted')).toBe(`False ${reason}`);
    expect(await site.condition(name, 'Ready')).toBe(`False ${reason}`);
    await vi.waitFor(async () => expect(await warnings(site, name)).toEqual([`${reason}: ${message}`]), {
      timeout: 120_000,
    });

    expect(kstatusOf(await site.untilObserved(name))).toBe('Failed');

    await site.remove(ConfigMap, name);
    await vi.waitFor(
      async () => expect(await site.read(ConfigMap, name)).toMatchObject({ data: { image: 'server:1' } }),
      { timeout: 120_000 },
    );

    await quiet(site.controlPlane, site.namespace);
    await site.bring(name, { image: 'server:2' });
    expect(await site.read(ConfigMap, name)).toMatchObject({ data: { image: 'server:2' } });
    expect(await site.condition(name, 'Accepted')).toBe('True Valid');
  });
});
