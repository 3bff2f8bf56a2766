import { expect, test } from 'vitest';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import { add, type Widget } from '../given/widgets.js';

/** What stays while a Widget is being deleted, until its spec says that it may go. */
const house = givenRealHouse({
  controller: () => ({
    owns: [withoutOwnerReference(ConfigMap)],
    finalizes: true,
    retains: ({ metadata }) => metadata.name === 'web-left',
    desire: (scope, { resource }) => {
      const { maps = {} } = (resource as Widget).spec;
      for (const end of Object.keys(maps)) add(scope, 'v1', 'ConfigMap', `web-${end}`);
    },
  }),
  hasItsRights: true,
});

test('R28 a deletion in the foreground takes nothing untied before its controller lets it go', async () => {
  const map = (end: string) => house().read(ConfigMap, `web-${end}`);
  const { group } = house().kind;
  await house().apply('web', { maps: { data: {}, left: {} } });
  await expect.poll(() => map('left'), { timeout: 120_000 }).toBeDefined();
  await givenTied();
  const made = [await map('data'), await map('left')].map((one) => one?.['metadata'].uid);

  // The collector knows of a new kind within half a minute.
  const named = [`widgets.${group}`, 'web', '-n', house().namespace];
  await house().kubectl(['delete', ...named, '--cascade=foreground', '--wait=false']);
  // That the collector has been here shows in what it may take.
  await expect.poll(() => house().read(Secret, 'web-tied'), { timeout: 120_000 }).toBeUndefined();
  expect([await map('data'), await map('left')].map((one) => one?.['metadata'].uid)).toEqual(made);

  await house().apply('web', { workload: false });
  await expect.poll(() => house().read(house().kind, 'web'), { timeout: 120_000 }).toBeUndefined();
  expect([await map('data'), (await map('left'))?.['metadata'].uid]).toEqual([undefined, made[1]]);
}, 300_000);

/** A Secret that the garbage collector deletes with the Widget. */
async function givenTied(): Promise<void> {
  const { kind, namespace } = house();
  const { uid = '' } = (await house().read(kind, 'web'))?.['metadata'] ?? {};
  const owner = { apiVersion: `${kind.group}/v1`, kind: kind.kind, name: 'web', uid };
  const metadata = { name: 'web-tied', namespace, ownerReferences: [owner] };
  await house().cluster.apply(Secret, { apiVersion: 'v1', kind: 'Secret', metadata }, somebody);
}
