import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import type { ControlPlane } from '../../operator/testing/index.js';
import { quiet } from './given/audit.js';
import { OperatorProcess } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import { controlPlaneWithoutPods } from './given/without-pods.js';

/** The resource as its users write it. */
const input = readFileSync('examples/01-recommendation-engine/resource.yaml', 'utf8');
const name = 'recommendation-engine-v2';

let controlPlane: ControlPlane;
let operator: OperatorProcess;
let site: Site;
beforeAll(async () => {
  controlPlane = await controlPlaneWithoutPods();
  site = await Site.fresh(controlPlane, 'becoming');
  // No other namespace: what happens there would count as well.
  const flags = ['--resync-period=1s', `--namespaces=${site.namespace}`, '--log-level=debug'];
  operator = await OperatorProcess.start(controlPlane, ...flags);
  await operator.untilSaid('Successfully acquired lease');
});
afterAll(async () => {
  await operator?.stop();
  await controlPlane?.stop();
});

const applied = async () => {
  const { code, stdout, stderr } = await site.controlPlane.kubectl(['apply', '-n', site.namespace, '-f', '-'], {
    input,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('the resource that users write', () => {
  test('becomes five objects, and the time that took is printed', async () => {
    await applied();
    const began = performance.now();
    await expect.poll(async () => (await site.owned()).size, { timeout: 120_000, interval: 5 }).toBe(childKinds.length);
    const ms = Math.round(performance.now() - began);
    console.log(`five objects were seen ${ms} ms after kubectl apply returned`);
    // An object can be seen before the operator has its response.
    const told = () => operator.log.filter(({ level }) => level === 'debug');
    await expect
      .poll(told, { timeout: 120_000 })
      .toContainEqual(
        expect.objectContaining({ msg: 'Created object', kind: 'Deployment', name: `${site.namespace}/${name}` }),
      );
    expect([...(await site.owned()).keys()].sort()).toEqual(childKinds.map(({ kind }) => `${kind} ${name}`).sort());
  });

  test('is written no more when it is applied ten times again', async () => {
    const audit = await quiet(site.controlPlane, site.namespace);
    for (let time = 0; time < 10; time++) expect(await applied()).toContain('unchanged');
    expect(await audit.writes(site.namespace)).toEqual([]);
  });

  test('is written no more when it is looked at ten times', async () => {
    const audit = await quiet(site.controlPlane, site.namespace);
    const passes = await operator.passes();
    for (let time = 0; time < 10; time++) {
      const path = '/metadata/annotations/looked-at';
      await site.patch(algorithmKind, name, { op: 'add', path, value: String(time) });
      await expect.poll(() => operator.passes(), { interval: 10 }).toBeGreaterThan(passes + time);
    }
    expect(await audit.writes(site.namespace)).toEqual([]);
  });

  test('costs no request and no pass while it is looked at from the caches', async () => {
    const audit = await quiet(site.controlPlane, site.namespace);
    const [looks, passes] = [await operator.looks(), await operator.passes()];
    await expect.poll(() => operator.looks(), { timeout: 120_000 }).toBeGreaterThanOrEqual(looks + 3);
    // A kind that the cluster lacks is asked for again and again, for a while every 3 s.
    const asked = (await audit.requests()).filter(({ verb, code }) => verb !== 'watch' || code !== 404);
    expect(asked).toEqual([]);
    expect(await operator.passes()).toBe(passes);
  });
});
