import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import type { ControlPlane } from '../../operator/testing/index.js';
import { gatewayApiCrds } from '../../src/index.js';
import { areObserved, costsOf, each, until } from './given/costs.js';
import { OperatorProcess } from './given/operator.js';
import { Site } from './given/site.js';
import { controlPlaneWithoutPods } from './given/without-pods.js';

const all = 10;
const spec = {
  image: 'server:1',
  scaling: { maxReplicas: 3, targetLatencyMs: 200 },
  lifecycle: { canaryWeight: 10, successThreshold: 0.95 },
};
const created = {
  'create configmaps': all,
  'create deployments': all,
  'create events': all,
  'create horizontalpodautoscalers': all,
  'create poddisruptionbudgets': all,
  'create services': all,
  'patch algorithms/status': 2 * all,
};
const edited = { 'update deployments': all, 'patch algorithms/status': 2 * all };

/** The control plane is one of its own, because no other test may find the Gateway API there, or a GatewayClass. */
let controlPlane: ControlPlane;
let site: Site;
let operator: OperatorProcess;
beforeAll(async () => {
  // Without a metrics API the autoscaler reports after some time that it cannot scale, which is one more pass.
  controlPlane = await controlPlaneWithoutPods('horizontal-pod-autoscaler-controller');
  site = await Site.fresh(controlPlane, 'lifecycles');
  operator = await started();
}, 300_000);
afterAll(async () => {
  await operator?.stop();
  await controlPlane?.stop();
});

/** It looks at a resource at rest again every 3 s, which must cost nothing. */
async function started(): Promise<OperatorProcess> {
  const process = await OperatorProcess.start(controlPlane, `--namespaces=${site.namespace}`, '--resync-period=300ms');
  return process.untilSaid('Successfully acquired lease');
}

/** What it costs until the status of each Algorithm, and that of each route, is about its present spec. */
function costsUntilRouted(reason: string, act: () => Promise<unknown>): ReturnType<typeof costsOf> {
  const isRouted = async () => {
    const { items } = await site.cluster.list(algorithmKind, { namespace: site.namespace });
    return items.every((one) => JSON.stringify(one).includes(`"reason":"${reason}"`));
  };
  return costsOf(site, operator, async () => {
    await act();
    await until(async () => (await areObserved(site)) && (await isRouted()));
  });
}

/** Waits until a look at each resource made no pass: the last write of a pass may cause another one. */
async function untilIdle(): Promise<void> {
  let before = -1;
  await until(async () => {
    const passes = await operator.passes();
    const isIdle = passes === before;
    before = passes;
    await sleep(4_000);
    return isIdle;
  });
}

function names(prefix: string): readonly string[] {
  return Array.from({ length: all }, (_, index) => `${prefix}-${index}`);
}

async function installGatewayApi(): Promise<void> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: gatewayApiCrds() });
  const { code, stderr } = await controlPlane.kubectl(['apply', '--server-side', '-f', '-'], { input });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await controlPlane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s']);
  // An established kind can be absent for a moment, and the operator would find it a few seconds later.
  const names = gatewayApiCrds().map(({ metadata }) => metadata.name);
  for (const name of names) await until(async () => (await controlPlane.kubectl(['get', name, '-A'])).code === 0);
}

test.each<{ prefix: string; where: string; reason: string; begin?: () => Promise<void> }>([
  { prefix: 'before', where: 'without the Gateway API', reason: 'NoGatewayApi' },
  { prefix: 'after', where: 'without a GatewayClass', reason: 'NoGateway', begin: installGatewayApi },
])(
  'R17 a lifecycle $where costs one request for its creation, one for an edit, and none at rest',
  async (row) => {
    const { prefix, reason, begin } = row;
    if (begin) {
      await operator.stop();
      await begin();
      operator = await started();
      await costsUntilRouted(reason, async () => {});
    }
    const creation = await costsUntilRouted(reason, () => each(names(prefix), (name) => site.apply(name, spec)));
    expect(creation.requests).toEqual(created);
    await untilIdle();
    const rest = await costsOf(site, operator, () => sleep(4_000));
    expect(rest).toEqual({ requests: {}, passes: 0 });
    const edit = await costsUntilRouted(reason, () =>
      each(names(prefix), (name) => site.apply(name, { ...spec, image: 'server:2' })),
    );
    expect(edit.requests).toEqual(edited);
  },
  300_000,
);
