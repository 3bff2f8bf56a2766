import { expect, test, vi } from 'vitest';
import { ConfigMap } from '../../operator/index.js';
import { conditionOf } from '../../operator/runtime/index.js';
import { ControlPlane } from '../../operator/testing/index.js';
import { deniedOf, install, OperatorProcess } from '../acceptance/given/operator.js';
import { childKinds, Site } from '../acceptance/given/site.js';

/** Without what collects garbage, as after it has missed the end of a resource. */
const controllerManagerFlags = { controllers: '*,-garbage-collector-controller' };

test('R22 what the garbage collector leaves of a resource is removed, and made for the one that has its name now', async () => {
  const controlPlane = await ControlPlane.start({ audit: true, controllerManagerFlags });
  await install(controlPlane);
  const since = await controlPlane.auditPosition();
  const operator = await (await OperatorProcess.start(controlPlane)).untilSaid('Successfully acquired lease');
  try {
    const site = await Site.fresh(controlPlane, 'uncollected');
    const spec = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };
    const { metadata: old } = await site.bring('reco', spec);
    await site.bring('other', spec);
    const others = async () =>
      [...(await site.owned())].flatMap(([key, { metadata }]) => (key.endsWith(' other') ? [metadata.uid] : []));
    const before = await others();
    expect(before).toHaveLength(childKinds.length);
    expect(await controlPlane.kubectl(['delete', 'algorithm', 'reco', `--namespace=${site.namespace}`])).toMatchObject({
      code: 0,
    });
    const { metadata } = await site.bring('reco', spec);
    expect(conditionOf(await site.algorithm('reco'), 'Ready')).toMatchObject({ reason: 'ObjectTerminating' });
    expect((await site.read(ConfigMap, 'reco'))?.metadata.ownerReferences).toMatchObject([{ uid: old.uid }]);

    const theirs = async () =>
      Promise.all(childKinds.map(async (kind) => (await site.read(kind, 'reco'))?.metadata.ownerReferences?.[0]?.uid));
    await vi.waitFor(async () => expect(new Set(await theirs())).toEqual(new Set([metadata.uid])), {
      timeout: 180_000,
      interval: 1_000,
    });
    expect(await others(), 'what another one has').toEqual(before);
    expect(await deniedOf(controlPlane, since)).toEqual([]);
  } finally {
    await operator.stop();
    await controlPlane.stop();
  }
}, 300_000);
