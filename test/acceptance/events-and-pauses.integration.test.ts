import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import { ConfigMap, Deployment, HorizontalPodAutoscaler, Service } from '../../operator/index.js';
import { conditionOf } from '../../operator/runtime/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { Audit, quiet } from './given/audit.js';
import { until } from './given/costs.js';
import { installedOnce, OperatorProcess } from './given/operator.js';
import { Site } from './given/site.js';

const scaled = { image: 'server:1', scaling: { maxReplicas: 3 } };
const fixed = { image: 'server:1', replicas: 2 };

const controlPlane = givenControlPlane();
let operator: OperatorProcess;
beforeAll(async () => {
  await installedOnce(controlPlane);
  operator = await started();
}, 300_000);
afterAll(async () => {
  await operator?.stop();
});

async function started(): Promise<OperatorProcess> {
  return (await OperatorProcess.start(controlPlane)).untilSaid('Successfully acquired lease');
}

async function kubectl(site: Site, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await controlPlane.kubectl([...args, `--namespace=${site.namespace}`]);
  expect([code, stderr.replaceAll(/^Warning.*$/gm, '').trim()], args.join(' ')).toEqual([0, '']);
  return stdout;
}

/** Waits until `kubectl describe` shows it. */
async function untilDescribed(site: Site, ...lines: readonly RegExp[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const text = await kubectl(site, 'describe', 'algo', 'reco');
      for (const line of lines) expect(text).toMatch(line);
    },
    { timeout: 120_000, interval: 500 },
  );
}

/** Managed fields have whole seconds: a write is known to be a later one only in a later second. */
async function untilNextSecond(): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await vi.waitFor(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(now), { interval: 50, timeout: 60_000 });
}

async function imageOf(site: Site): Promise<string> {
  return JSON.stringify(await site.read(Deployment, 'reco')).match(/server:\d/)?.[0] ?? 'none';
}

test('R32 kubectl describe tells what was created, deleted, changed and pruned, and by whom', async () => {
  const site = await Site.fresh(controlPlane, 'story');
  await site.bring('reco', scaled);
  await untilDescribed(site, /Normal +Created .*Created ConfigMap reco, Service reco, Deployment reco/);
  await quiet(controlPlane, site.namespace);
  await site.remove(Service, 'reco');
  await untilDescribed(site, /Normal +Recreated .*Created again what another client deleted: Service reco/);
  await site.bring('reco', fixed);
  await untilDescribed(
    site,
    /Normal +Pruned .*Deleted what is no longer desired by generation 2 of Algorithm reco: HorizontalPodAutoscaler reco/,
  );
  expect(await site.read(HorizontalPodAutoscaler, 'reco')).toBeUndefined();
  await quiet(controlPlane, site.namespace);
  await untilNextSecond();
  await site.patch(Deployment, 'reco', { op: 'replace', path: '/spec/replicas', value: 4 });
  await untilDescribed(
    site,
    /Normal +DriftCorrected .*Changed back spec.replicas of Deployment reco \(last written by a-person\)/,
  );
}, 300_000);

test('R40 a paused resource is left alone, also by an operator that restarts, and applied when it is resumed', async () => {
  const site = await Site.fresh(controlPlane, 'pause');
  await site.bring('reco', scaled);
  await quiet(controlPlane, site.namespace);
  await kubectl(site, 'annotate', 'algo', 'reco', 'reconstruct.dev/paused=true');
  await kubectl(site, 'wait', 'algo', 'reco', '--for=condition=Paused', '--timeout=120s');
  const audit = await Audit.from(controlPlane);
  await site.apply('reco', { ...scaled, image: 'server:2' });
  await site.remove(ConfigMap, 'reco');
  await untilDescribed(site, /not as desired: ConfigMap reco, Deployment reco/, /Normal +Paused /);
  await operator.stop();
  operator = await started();
  await quiet(controlPlane, site.namespace, 2_000);
  const writes = (await audit.writes(site.namespace)).filter((write) => !/^(create|patch) events /.test(write));
  expect(new Set(writes)).toEqual(new Set(['patch algorithms/status reco']));
  const { metadata, status } = (await site.algorithm('reco')) ?? expect.fail('it is gone');
  expect([metadata.generation, status?.observedGeneration, await imageOf(site)]).toEqual([2, 1, 'server:1']);
  expect(conditionOf({ status }, 'Ready')?.status).not.toBe('True');
  await kubectl(site, 'annotate', 'algo', 'reco', 'reconstruct.dev/paused-');
  await site.untilObserved('reco');
  await untilDescribed(site, /Normal +Resumed /);
  expect([await imageOf(site), await site.read(ConfigMap, 'reco')]).toEqual(['server:2', expect.anything()]);
  expect(await site.condition('reco', 'Paused' as 'Ready')).toBeUndefined();
}, 300_000);

test('R40 a paused resource is deleted with its objects', async () => {
  const site = await Site.fresh(controlPlane, 'pausedgone');
  await site.bring('reco', scaled);
  await kubectl(site, 'annotate', 'algo', 'reco', 'reconstruct.dev/paused=true');
  await kubectl(site, 'wait', 'algo', 'reco', '--for=condition=Paused', '--timeout=120s');
  await site.remove(algorithmKind, 'reco');
  await until(async () => (await site.owned()).size === 0 && (await site.algorithm('reco')) === undefined);
}, 300_000);

test('a new value of reconcile-at causes a reconcile at once, which writes nothing', async () => {
  const site = await Site.fresh(controlPlane, 'asked');
  await site.bring('reco', scaled);
  await quiet(controlPlane, site.namespace);
  const audit = await Audit.from(controlPlane);
  const before = await operator.passes();
  await kubectl(site, 'annotate', 'algo', 'reco', 'reconstruct.dev/reconcile-at=2030-01-01T00:00:00Z');
  await until(async () => (await operator.passes()) > before);
  expect(await audit.writes(site.namespace)).toEqual([]);
}, 300_000);
