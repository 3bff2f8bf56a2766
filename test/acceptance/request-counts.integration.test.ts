import { afterAll, beforeAll, expect, test } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import { Deployment } from '../../operator/index.js';
import type { ControlPlane } from '../../operator/testing/index.js';
import { Audit, isWrite, quiet } from './given/audit.js';
import { areObserved, type Costs, costsOf, each, listed, until } from './given/costs.js';
import { OperatorProcess } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import { controlPlaneWithoutPods } from './given/without-pods.js';

const all = 20;
const names = Array.from({ length: all }, (_, index) => `algo-${index}`);
const half = names.slice(0, all / 2);
const kept = half;
const others = names.slice(all / 2);
const spec = { image: 'server:1', scaling: { maxReplicas: 3 } };

let controlPlane: ControlPlane;
let site: Site;
let operator: OperatorProcess;
beforeAll(async () => {
  controlPlane = await controlPlaneWithoutPods();
  site = await Site.fresh(controlPlane, 'counting');
  operator = await started();
}, 300_000);
afterAll(async () => {
  await operator?.stop();
  await controlPlane?.stop();
});

/** It sees this namespace alone, and looks again each second: what is at rest must not be looked at for nothing. */
async function started(): Promise<OperatorProcess> {
  const process = await OperatorProcess.start(controlPlane, `--namespaces=${site.namespace}`, '--resync-period=1s');
  return process.untilSaid('Successfully acquired lease');
}

function costOf(act: () => Promise<unknown>): Promise<Costs> {
  return costsOf(site, operator, act);
}

test('R16 R17 a resource costs one request for each of its objects, one for its status and one for an event, and no read', async () => {
  const { requests, passes } = await costOf(async () => {
    await each(names, (name) => site.apply(name, spec));
    await until(() => areObserved(site));
  });
  expect(requests).toEqual({
    'create configmaps': all,
    'create deployments': all,
    'create events': all,
    'create horizontalpodautoscalers': all,
    'create poddisruptionbudgets': all,
    'create services': all,
    'patch algorithms/status': all,
  });
  expect(passes / all).toBeLessThanOrEqual(2);
}, 300_000);

test('R17 what is at rest costs no request and no pass', async () => {
  expect(await costOf(() => new Promise((resolve) => setTimeout(resolve, 3_000)))).toEqual({ requests: {}, passes: 0 });
});

test('R17 a restart costs a look at everything, and no write', async () => {
  await operator.stop();
  const audit = await Audit.from(site.controlPlane);
  operator = await started();
  await until(async () => (await operator.passes()) >= names.length);
  await quiet(site.controlPlane, site.namespace);
  const requests = await audit.requests();
  expect(requests.filter(isWrite)).toEqual([]);
  const once = [algorithmKind, ...childKinds].length;
  const looks = requests.filter(({ verb }) => verb !== 'watch').map(({ verb }) => verb);
  // Where the server can stream what there is, the watch begins with it.
  expect(looks.filter((verb) => verb !== 'list')).toEqual([]);
  expect(looks.length).toBeLessThanOrEqual(once);
  expect(await operator.passes()).toBe(names.length);
}, 300_000);

test('R17 an edit costs one request for what follows from it and one for the status', async () => {
  const { requests, passes } = await costOf(async () => {
    await each(names, (name) => site.apply(name, { ...spec, image: 'server:2' }));
    await until(() => areObserved(site));
  });
  expect(requests).toEqual({ 'update deployments': all, 'patch algorithms/status': all });
  expect(passes / all).toBeLessThanOrEqual(2);
}, 300_000);

test('R17 a deleted object costs one request, and one for an event', async () => {
  const kinds = childKinds.filter((kind) => kind !== Deployment);
  const { requests, passes } = await costOf(async () => {
    await each(half, (name, index) => site.remove(kinds[index % kinds.length] ?? Deployment, name));
    await until(async () => (await site.owned()).size === all * childKinds.length);
  });
  const { 'create events': events, ...creates } = requests;
  expect(events).toBe(half.length);
  expect(Object.values(creates).reduce((sum, count) => sum + count)).toBe(half.length);
  expect(Object.keys(requests).every((request) => request.startsWith('create '))).toBe(true);
  expect(passes).toBe(half.length);
}, 300_000);

test('R17 an edit of somebody else costs one request, and one for an event, and his own fields stay', async () => {
  const audit = await Audit.from(site.controlPlane);
  const { requests } = await costOf(async () => {
    await each(half, (name) =>
      site.patch(
        Deployment,
        name,
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'other:1' },
        { op: 'add', path: '/metadata/annotations/note', value: 'mine' },
      ),
    );
    await until(async () => (await listed(site, Deployment)).every((one) => !JSON.stringify(one).includes('other:1')));
  });
  // Kubernetes writes to them too: who meets a newer version is refused, and reads it. Each write of others refuses one at most.
  const { 'create events': events, 'update deployments': updates = 0, ...others } = requests;
  const { 'update deployments 409': conflicts = 0, ...rest } = others;
  expect(events).toBe(half.length);
  expect(updates).toBe(half.length);
  expect(conflicts).toBeLessThanOrEqual((await audit.writesOfOthers('deployments', site.namespace)).length);
  expect(rest).toEqual(conflicts > 0 ? { 'get deployments': conflicts } : {});
  const noted = (await listed(site, Deployment)).filter(({ metadata }) => metadata.annotations?.['note'] === 'mine');
  expect(noted).toHaveLength(half.length);
}, 300_000);

/** A finalizer keeps each resource until the operator knows of its deletion: only then do its objects go. */
test('R17 a resource that goes costs no request', async () => {
  const finalizers = { path: '/metadata/finalizers' };
  await each(kept, (name) =>
    site.patch(algorithmKind, name, { op: 'add', ...finalizers, value: ['example.com/kept'] }),
  );
  const known = await costOf(async () => {
    const before = await operator.passes();
    await each(kept, (name) => site.remove(algorithmKind, name));
    await until(async () => (await operator.passes()) >= before + kept.length);
  });
  expect(Object.keys(known.requests).filter((request) => request !== 'patch algorithms/status')).toEqual([]);
  const { requests, passes } = await costOf(async () => {
    await each(kept, (name) => site.patch(algorithmKind, name, { op: 'remove', ...finalizers }));
    await until(async () => (await site.owned()).size === others.length * childKinds.length);
  });
  expect(requests).toEqual({});
  expect(passes).toBeLessThanOrEqual(kept.length);
}, 300_000);

/** The watches of two kinds are two streams: an object whose end is told before that of its owner is made good for a moment. */
test('R17 a resource that goes at once has at most what its objects lack created, and reads nothing', async () => {
  const { requests } = await costOf(async () => {
    await each(others, (name) => site.remove(algorithmKind, name));
    await until(async () => (await site.owned()).size === 0);
  });
  expect(
    Object.keys(requests).filter((request) => !/^(create \S+|patch algorithms\/status)( 4\d\d)?$/.test(request)),
  ).toEqual([]);
}, 300_000);
