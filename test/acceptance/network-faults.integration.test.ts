import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { FaultProxy, type FaultRule } from '../../operator/testing/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { quiet } from './given/audit.js';
import { installedOnce, operatorUser } from './given/installation.js';
import { OperatorProcess } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import { warnings } from './given/warnings.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };
const edited: AlgorithmSpecInput = { image: 'server:2', config: { a: 'b' }, scaling: { maxReplicas: 6 } };

let proxy: FaultProxy;
let operator: OperatorProcess;
beforeAll(async () => {
  await installedOnce(givenControlPlane());
  proxy = await FaultProxy.start(givenControlPlane());
  operator = await OperatorProcess.startThrough(proxy, '--no-leader-elect');
  await operator.untilReady();
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await operator?.stop();
  await proxy?.stop();
});

const lost = { kind: 'lose', what: 'answer' } as const;
const rows: readonly (readonly [what: string, Omit<FaultRule, 'fault' | 'namespace'>])[] = [
  ['each creation', { verb: 'create', times: childKinds.length }],
  ['a creation, five times', { verb: 'create', resource: 'services', times: 5 }],
  ['the first writes of the status', { verb: 'patch', resource: 'algorithms/status', times: 3 }],
  ['each apply after an edit', { verb: 'patch', times: childKinds.length + 1 }],
  ['a third of everything', { probability: 1 / 3, times: 20 }],
];

describe('the operator carries out what is asked once', () => {
  test.each(rows)('R4 R16 R23 when the answers to %s are lost', { timeout: 300_000 }, async (_, rule) => {
    const calm = await Site.fresh(givenControlPlane(), 'calm');
    const site = await Site.fresh(givenControlPlane(), 'losing');
    proxy.inject({ ...rule, namespace: site.namespace, fault: lost });
    for (const wanted of [spec, edited]) {
      await Promise.all([calm, site].map((one) => one.apply('reco', wanted)));
      await Promise.all([calm, site].map((one) => untilObserved(one)));
    }
    await quiet(site.controlPlane, site.namespace);
    expect(proxy.diary.filter(({ namespace }) => namespace === site.namespace).length).toBeGreaterThan(0);
    expect(await site.children()).toEqual(await calm.children());
    // Not for a moment did it take what it had made itself for somebody else's.
    expect((await warnings(site, 'reco')).filter((warning) => warning.startsWith('NotOwned'))).toEqual([]);
    expect(await created(site)).toEqual(Object.fromEntries(childKinds.map(({ plural }) => [plural, 1])));
  });
});

/** The waits between passes that fail grow: this takes longer than without faults. */
async function untilObserved(site: Site): Promise<void> {
  const generations = async () => {
    const { metadata, status } = (await site.algorithm('reco')) ?? {};
    return [status?.observedGeneration, metadata?.generation];
  };
  await vi.waitFor(
    async () => {
      const [observed, wanted] = await generations();
      expect(observed).toBe(wanted);
    },
    { timeout: 120_000, interval: 50 },
  );
}

/** How often the operator has made an object of each kind. */
async function created(site: Site): Promise<Readonly<Record<string, number>>> {
  const requests = await site.controlPlane.requests();
  const made = requests.filter(({ user, namespace }) => user === operatorUser && namespace === site.namespace);
  const isMade = (plural: string) => made.filter(({ resource, code }) => resource === plural && code === 201);
  return Object.fromEntries(childKinds.map(({ plural }) => [plural, isMade(plural).length]));
}
