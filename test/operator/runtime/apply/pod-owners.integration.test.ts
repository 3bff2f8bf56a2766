import { expect, test } from 'vitest';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, Pod } from '../../../../operator/runtime/kubernetes/kinds.js';
import { finalizerOf } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { createOnly } from '../../../../operator/runtime/rendering/object-policies.js';
import type { Loose } from '../../../given.js';
import { givenRealHouse } from '../given/real-house.js';
import { add, type Widget } from '../given/widgets.js';

const spec = { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'main:1' }] };

/** A Pod that is made once and one that is kept as it is, until the spec of a deleted Widget names none. */
const house = givenRealHouse({
  controller: () => ({
    owns: [withoutOwnerReference(Pod)],
    finalizes: true,
    desire: (scope, { resource }) => {
      for (const end of Object.keys((resource as Widget).spec.maps ?? {})) {
        const pod = add(scope, 'v1', 'Pod', `web-${end}`, { spec });
        if (end === 'once') createOnly(pod);
      }
    },
    assess: () => ({ conditions: {} }),
  }),
  hasItsRights: true,
});

const names = ['web-once', 'web-kept'];
const within = { timeout: 120_000 };
const live = (name: string): Promise<Loose | undefined> => house().read(Pod, name);
const pods = () => Promise.all(names.map(live));
const uids = async () => (await pods()).map((pod) => pod?.metadata.uid);
const controllers = async () =>
  (await pods()).map((pod) => pod?.metadata.ownerReferences?.find(({ controller }) => controller));

/** Waits until the garbage collector has deleted an orphan, which it queues after all that it has queued before. */
async function collectorIsIdle(): Promise<void> {
  const gone = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
  const metadata = { name: 'orphan', namespace: house().namespace, ownerReferences: [gone] };
  await house().kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await expect.poll(() => house().read(ConfigMap, 'orphan'), within).toBeUndefined();
}

test('R28 Pods outlive a foreground deletion of what controls them, and of their resource until it lets them go', async () => {
  await house().apply('web', { maps: { once: {}, kept: {} } });
  await expect.poll(async () => (await controllers()).every(Boolean), within).toBe(true);
  const made = await uids();

  for (const cascade of ['background', 'foreground']) {
    const [old] = await controllers();
    await house().kubectl(['delete', `configmap/${old?.name}`, '-n', house().namespace, `--cascade=${cascade}`]);
    await expect.poll(async () => (await controllers()).every((one) => one && one.uid !== old?.uid), within).toBe(true);
    expect(await uids()).toEqual(made);
    const [next] = await controllers();
    expect((await house().read(ConfigMap, next?.name ?? ''))?.['metadata'].uid).toBe(next?.uid);
  }

  const named = [`widgets.${house().kind.group}`, 'web', '-n', house().namespace];
  await house().kubectl(['delete', ...named, '--cascade=foreground', '--wait=false']);
  // The collector queues the dependents, then releases the Widget. A Pod that it reads later keeps its reference.
  const finalizers = async () => (await house().read(house().kind, 'web'))?.metadata.finalizers;
  await expect.poll(finalizers, within).toEqual([finalizerOf('widget')]);
  await collectorIsIdle();
  expect(await uids()).toEqual(made);

  await house().apply('web', { maps: {} });
  await expect.poll(() => house().read(house().kind, 'web'), within).toBeUndefined();
  const labels = ['--selector=reconstruct.dev/controller=widget', '-n', house().namespace];
  expect(await house().kubectl(['get', 'configmaps,pods', '--output=name', ...labels])).toBe('');
}, 300_000);
