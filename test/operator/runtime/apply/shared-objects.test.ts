import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shared } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ClusterRole, ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { sharing, type Together } from '../given/shared.js';
import { conditionOf, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse({ controller: widgetController(sharing) });
});
afterEach(() => house.close());

const given = (one: string, spec: Together) => house.given(widgetKind, widget(one, spec as Widget['spec']));
const name = { namespace: 'team', name: 'common' };
const common = () => house.find(ConfigMap, name);
const owners = async () => (await common())?.metadata.ownerReferences?.map(({ name }) => name);

/** Two Widgets that share it. */
async function together(): Promise<void> {
  await given('web', { size: '1' });
  await given('api', { size: '1' });
  await house.pass('team/web');
  await house.pass('team/api');
}

describe('what several resources own together', () => {
  test('R22 is made by the first that wants it, and joined by the others', async () => {
    await given('web', { size: '1' });
    await given('api', { size: '1' });
    expect(await house.pass('team/web')).toEqual(['create ConfigMap team/common', 'apply Widget/status team/web']);
    expect(await house.pass('team/api')).toEqual(['patch ConfigMap team/common', 'apply Widget/status team/api']);
    expect(await owners()).toEqual(['web', 'api']);
    expect((await common())?.metadata.ownerReferences?.some((owner) => owner.controller)).toBe(false);
  });

  test('R22 is seen by each of its owners', async () => {
    await together();
    for (const name of ['web', 'api'])
      expect(await house.read(widgetKind, name)).toMatchObject({ status: { size: 1 } });
  });

  test('R17 costs no request once it is settled, in a new process neither', async () => {
    await together();
    for (const key of ['team/web', 'team/api']) expect(await house.pass(key)).toEqual([]);
    house.restart();
    for (const key of ['team/web', 'team/api']) expect(await house.pass(key)).toEqual([]);
  });

  test('R22 stays when one of its owners no longer renders it, and is deleted with the last owner', async () => {
    await together();
    await given('web', {});
    expect(await house.pass('team/web')).toEqual(['patch ConfigMap team/common', 'apply Widget/status team/web']);
    expect(await owners()).toEqual(['api']);
    expect(await house.pass('team/api')).toEqual([]);
    await given('api', {});
    expect(await house.pass('team/api')).toEqual(['remove ConfigMap team/common', 'apply Widget/status team/api']);
    expect(await common()).toBeUndefined();
  });

  test.each<readonly [what: string, spec: Together]>([
    ['another value', { size: '2' }],
    ['another field', { size: '1', more: 'depth' }],
  ])('R22 keeps its other owners when it gets %s', async (_, spec) => {
    await together();
    await given('web', spec);
    await house.pass('team/web');
    expect(await common()).toMatchObject({ data: spec.more ? { size: '1', depth: 'x' } : { size: '2' } });
    expect(await owners()).toEqual(['web', 'api']);
  });

  test('R22 keeps an owner that came while it was being changed', async () => {
    await together();
    await given('web', { size: '2' });
    const { cluster } = house.place;
    const late = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'late', uid: 'late' };
    const join = [{ op: 'add', path: '/metadata/ownerReferences/-', value: late }] as const;
    const apply: Cluster['apply'] = async (kind, ...rest) => {
      if (kind.kind === 'ConfigMap') await house.memory.patch(kind, name, join, somebody);
      return cluster.apply(kind, ...rest);
    };
    house.place = { ...house.place, cluster: { ...bound(cluster), apply } };
    await expect(house.pass('team/web')).rejects.toMatchObject({ reason: 'Conflict' });
    await settled();
    house.place = { ...house.place, cluster };
    await house.pass('team/web');
    expect(await owners()).toEqual(['web', 'api', 'late']);
    expect(await common()).toMatchObject({ data: { size: '2' } });
  });

  test('R22 regains an owner that was removed from its owner references', async () => {
    await together();
    await house.memory.patch(ConfigMap, name, [{ op: 'remove', path: '/metadata/ownerReferences/0' }], somebody);
    await settled();
    expect(await house.pass('team/web')).toEqual(['patch ConfigMap team/common']);
    expect(await owners()).toEqual(['api', 'web']);
  });

  test('R22 may have any number of owners, without a word of a war', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
    for (const one of names) await given(one, { size: '1' });
    for (const one of names) await house.pass(`team/${one}`);
    expect(await owners()).toEqual(names);
    const last = await house.read(widgetKind, 'w11');
    expect(conditionOf(last, 'FieldsConflicted')).toBeUndefined();
    expect(conditionOf(last, 'Ready')).toMatchObject({ status: 'True' });
  });

  test('R23 is left alone if it has another owner', async () => {
    const metadata = { name: 'common', namespace: 'team' };
    await house.given(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await given('web', { size: '1' });
    await house.pass('team/web');
    expect(await owners()).toBeUndefined();
    expect(conditionOf(await house.widget(), 'Conflicted')).toMatchObject({ reason: 'NotOwned' });
  });

  test('R22 is in the namespace of its owners', () => {
    expect(() => widgetController({ owns: [shared(ClusterRole)] })).toThrow(
      'ClusterRole.rbac.authorization.k8s.io is shared, but may be in a namespace that no owner reference of a Widget reaches',
    );
  });
});
