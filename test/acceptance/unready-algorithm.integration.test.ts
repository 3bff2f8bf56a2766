import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AlgorithmResource, algorithmKind } from '../../imports/index.js';
import { ControlPlane } from '../../operator/testing/index.js';
import { Audit } from './given/audit.js';
import { deniedOf, install, OperatorProcess } from './given/operator.js';
import { Site } from './given/site.js';

/** The control plane is one of its own, because its simulated node starts Pods by the names of their images. */
let controlPlane: ControlPlane;
let site: Site;
let operator: OperatorProcess;
beforeAll(async () => {
  controlPlane = await ControlPlane.start({ nodes: 1, audit: true });
  await install(controlPlane);
  site = await Site.fresh(controlPlane, 'unready');
  operator = await OperatorProcess.start(controlPlane, `--namespaces=${site.namespace}`);
  await operator.untilSaid('Successfully acquired lease');
}, 300_000);
afterAll(async () => {
  await operator?.stop();
  await controlPlane?.stop();
});

async function conditionsOf(name: string): Promise<Readonly<Record<string, string>>> {
  const found = await site.cluster.read(algorithmKind, { name, namespace: site.namespace });
  const { conditions = [] } = (found as AlgorithmResource | undefined)?.status ?? {};
  return Object.fromEntries(conditions.map(({ type, status, message }) => [type, `${status}: ${message}`]));
}

function untilReported(name: string, expected: object): Promise<void> {
  return vi.waitFor(async () => expect(await conditionsOf(name)).toMatchObject(expected), {
    timeout: 120_000,
    interval: 200,
  });
}

/** The requests for Pods of Algorithms. The operator watches Pods of other kinds from its start on. */
async function podsAskedFor(audit: Audit): Promise<readonly string[]> {
  const requests = (await audit.requests()).filter(
    ({ resource, uri }) => resource === 'pods' && uri.includes('algorithm'),
  );
  return requests.map(({ verb, uri }) => `${verb} ${uri}`);
}

test('an Algorithm that cannot start names the cause first, and one that starts costs no read of Pods', async () => {
  const audit = await Audit.from(controlPlane);
  await site.apply('works', { image: 'reco:1' });
  await untilReported('works', { Available: 'True: At least one replica is ready' });
  expect(await podsAskedFor(audit)).toEqual([]);

  await site.apply('lacks', { image: 'reco:missing' });
  await site.apply('fails', { image: 'reco:failing' });
  await untilReported('lacks', {
    Ready: 'False: The image reco:missing cannot be pulled, so no replica is ready',
    Available: 'False: The image reco:missing cannot be pulled, so no replica is ready',
    Deployed: 'Unknown: The image reco:missing cannot be pulled: 0 of 1 replicas of the current spec are ready',
  });
  await untilReported('fails', { Available: 'False: The container exits with code 1, so no replica is ready' });
  const asked = await podsAskedFor(audit);
  expect(asked.filter((request) => !/^list .*(lacks|fails)/.test(request))).toEqual([]);
  expect(await deniedOf(controlPlane)).toEqual([]);
});
