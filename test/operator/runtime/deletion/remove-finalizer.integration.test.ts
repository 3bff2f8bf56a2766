import { expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse } from '../given/real-house.js';

const house = givenRealHouse({ controller: () => ({ finalizes: true }), hasItsRights: true });

test('R28 with its own rights alone, a resource is held, undone, shown to be alone, and let go', async () => {
  await house().apply('web', { maps: { a: {}, b: {} } });
  const finalizers = async () => (await house().read(house().kind, 'web'))?.metadata.finalizers ?? [];
  const map = (end: string) => house().read(ConfigMap, `web-${end}`);
  await expect.poll(() => map('b'), { timeout: 120_000 }).toBeDefined();
  expect(await finalizers()).toEqual(['reconstruct.dev/widget']);

  await house().apply('web', { maps: {} });
  await expect.poll(finalizers, { timeout: 120_000 }).toEqual([]);
  expect([await map('a'), await map('b')]).toEqual([undefined, undefined]);

  await house().apply('web', { maps: { a: {} } });
  await expect.poll(() => map('a'), { timeout: 120_000 }).toBeDefined();
  const { group } = house().kind;
  await house().kubectl(['delete', `widgets.${group}`, 'web', '-n', house().namespace, '--timeout=120s']);
  expect(await map('a')).toBeUndefined();
});
