import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { Deployment } from '../../operator/index.js';
import { ControlPlane } from '../../operator/testing/index.js';
import { Audit, quiet } from '../acceptance/given/audit.js';
import { deniedOf, install, OperatorProcess } from '../acceptance/given/operator.js';
import { childKinds, Site } from '../acceptance/given/site.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };
const crd = 'crd/algorithms.ai.alien6.io';

let controlPlane: ControlPlane; // its own: its API server is killed
let operator: OperatorProcess;
beforeAll(async () => {
  // Some clusters let nobody set `blockOwnerDeletion` who has no right to the owner's finalizers.
  const plugins = 'NodeRestriction,OwnerReferencesPermissionEnforcement';
  controlPlane = await ControlPlane.start({ audit: true, apiServerFlags: { 'enable-admission-plugins': plugins } });
  await install(controlPlane);
  operator = await (await OperatorProcess.start(controlPlane)).untilSaid('Successfully acquired lease');
});
afterAll(async () => {
  await operator?.stop();
  await controlPlane?.stop();
});

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);

describe('the operator goes on by itself', () => {
  test('when the API server was killed and is there again', async () => {
    const site = await Site.fresh(controlPlane, 'killed');
    await site.bring('reco', spec);
    await quiet(controlPlane, site.namespace);

    await controlPlane.killApiServer();
    await controlPlane.startApiServer();
    const back = performance.now();
    const audit = await Audit.from(controlPlane);
    await site.apply('other', spec);
    await site.remove(Deployment, 'reco');
    const there = async () => (await site.owned()).size;
    await vi.waitFor(async () => expect(await there()).toBe(2 * childKinds.length), { timeout: 120_000 });
    await site.untilObserved('other');
    console.log(`all was made ${seconds(back)} s after the API server was back`);
    // Until it is ready, a server that starts denies everything: it does not know its roles yet.
    expect(await deniedOf(controlPlane, audit.since)).toEqual([]);
    expect(
      (await audit.writes(site.namespace)).filter(
        (write) => write.startsWith('create') && !write.startsWith('create events'),
      ),
    ).toHaveLength(childKinds.length + 1);
  });

  test.each(['at once', 'once it has seen that'])(
    'R8 when its definition was deleted and is installed again, %s',
    async (when) => {
      const site = await Site.fresh(controlPlane, 'undefined');
      const audit = await Audit.from(controlPlane);
      await site.bring('reco', spec);
      const said = operator.log.length;
      expect(await controlPlane.kubectl(['delete', crd, '--timeout=120s'])).toMatchObject({ code: 0 });
      const seen = { kind: 'Algorithm.ai.alien6.io', after: said };
      if (when !== 'at once') await operator.untilSaid('API server does not serve the kind, waiting', seen);
      await install(controlPlane);
      const installed = performance.now();
      await site.apply('again', spec);
      const made = async () => [...(await site.owned()).keys()].filter((key) => key.endsWith(' again'));
      await vi.waitFor(async () => expect(await made()).toHaveLength(childKinds.length), { timeout: 120_000 });
      console.log(`all was made ${seconds(installed)} s after the definition was there again`);
      await site.untilObserved('again');
      expect(await deniedOf(controlPlane, audit.since)).toEqual([]);
    },
  );
});
