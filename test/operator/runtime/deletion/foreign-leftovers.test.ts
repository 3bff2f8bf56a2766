import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { cutCluster } from '../../../../operator/testing/contract/trial/cut-cluster.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

const labels = { keeper: 'web' };
const named = (name: string) => ({ kind: ConfigMap, name, labels });
const controller = widgetController({
  finalizes: true,
  foreignLeftovers: () => [named('web-lead'), named('web-sync')],
} as object);
const word = (name: string, worn: Readonly<Record<string, string>> = labels) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team', labels: worn } },
});

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse({ controller });
});
afterEach(() => house.close());

/** A Widget with one owned ConfigMap, and objects of others. */
async function given(worn?: Readonly<Record<string, string>>) {
  await house.givenWidget();
  await house.pass();
  for (const name of ['web-lead', 'web-sync']) await house.given(ConfigMap, word(name, worn));
}

test('R28 what others made for a resource goes after all that it owns, and before its finalizer', async () => {
  await given();
  await house.removed(widgetKind, 'web');
  const rest = ['remove ConfigMap team/web-lead', 'remove ConfigMap team/web-sync', 'apply Widget team/web'];
  expect(await house.pass()).toEqual(['remove ConfigMap team/web-a', ...rest]);
  expect([await house.names(ConfigMap), await house.names(widgetKind)]).toEqual([[], []]);
});

test('R28 what lacks a label of it is somebody else’s, and stays', async () => {
  await given({ keeper: 'other' });
  await house.removed(widgetKind, 'web');
  await house.pass();
  expect([await house.names(ConfigMap), await house.names(widgetKind)]).toEqual([
    ['team/web-lead', 'team/web-sync'],
    [],
  ]);
});

test('R28 it stays with a resource that wants nothing, and is not being deleted', async () => {
  await given();
  await house.givenWidget({ maps: {} });
  await house.pass();
  expect(await house.names(ConfigMap)).toEqual(['team/web-lead', 'team/web-sync']);
});

test('R28 it is deleted only in the observed version', async () => {
  await given();
  await house.removed(widgetKind, 'web');
  const whole = house.place.cluster;
  const read: Cluster['read'] = async (kind, name, options) => {
    const found = await whole.read(kind, name, options);
    await whole.apply(ConfigMap, word('web-lead', { ...labels, keeper: 'other' }), somebody);
    return found;
  };
  house.place = { ...house.place, cluster: { ...bound(whole), read } };
  await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  house.place = { ...house.place, cluster: whole };
  await house.pass();
  expect([await house.names(ConfigMap), await house.names(widgetKind)]).toEqual([['team/web-lead'], []]);
});

test('R28 a process that dies at any call leaves nothing of it behind that the next one does not find', async () => {
  let cuts = 0;
  for (const isCarriedOut of [false, true]) {
    for (let write = 0, died = true; died; write++) {
      house.close();
      house = new GivenHouse({ controller });
      await given();
      await house.removed(widgetKind, 'web');
      house.place = { ...house.place, cluster: cutCluster(house.memory, { write, isCarriedOut }) };
      died = await house.pass().then(
        () => false,
        () => true,
      );
      house.place = { ...house.place, cluster: house.memory };
      house.restart();
      await house.pass();
      const left = [await house.names(ConfigMap), await house.names(widgetKind)];
      expect(left, `cut at write ${write}`).toEqual([[], []]);
      cuts++;
    }
  }
  expect(cuts).toBeGreaterThan(6);
});

test('R28 a controller that does not finalize has nobody who would take it away', () => {
  expect(() => widgetController({ foreignLeftovers: () => [] } as object)).toThrow(
    'controller widget: foreignLeftovers are deleted before the finalizer is removed: set finalizes',
  );
});
