import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { ownerAnnotationOf } from '../../../../operator/runtime/ownership/ownership-labels.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { type Deafness, givenSuccession } from '../given/deaf.js';
import { bound } from '../given/house.js';
import { ReachHouse } from '../given/reach.js';
import { widgetKind } from '../given/widgets.js';

describe('objects that no owner reference reaches, where a watch died before its process took over', () => {
  let leader: ReachHouse;
  let standby: ReachHouse;
  let deafness: Deafness;
  beforeEach(async () => {
    ({ leader, standby, deafness } = await givenSuccession((props) => new ReachHouse(props)));
  });
  afterEach(() => {
    leader.close();
    standby.close();
  });

  /** A Widget and its ConfigMap go, and come again under their names; of one kind the standby does not hear it. */
  async function remade({ deafTo }: { deafTo: ObjectKind }): Promise<LiveObject> {
    await leader.reaching({ maps: ['other/a'] });
    await leader.pass();
    deafness.begin(deafTo);
    await leader.removeWidget();
    await leader.pass();
    const widget = await leader.reaching({ maps: ['other/a'] });
    await leader.pass();
    return widget;
  }

  test('R22 are undone as the inventory lists them, though nothing was heard of them', async () => {
    deafness.begin(ConfigMap);
    await leader.reaching({ maps: ['other/a'] });
    await leader.pass();
    await standby.removeWidget();
    expect(await standby.pass()).toEqual(['remove ConfigMap other/a', 'apply Widget team/web']);
    expect(await standby.everything()).toEqual(['team/web-near']);
  });

  test('R22 are undone though what was heard of the name is of an earlier resource', async () => {
    await remade({ deafTo: ConfigMap });
    await standby.removeWidget();
    expect(await standby.pass()).toEqual(['remove ConfigMap other/a', 'apply Widget team/web']);
    expect(await standby.everything()).toEqual(['team/web-near']);
  });

  test('R22 are undone though one is heard of only while another one is read', async () => {
    deafness.begin(ConfigMap);
    await leader.reaching({ maps: ['other/a', 'other/b'] });
    await leader.pass();
    await standby.removeWidget();
    const { cluster, stores } = standby.place;
    const read: Cluster['read'] = async (kind, name, options) => {
      const told = await cluster.read(kind, { namespace: 'other', name: 'b' });
      if (told) stores.of(ConfigMap).told('ADDED', told, '');
      return cluster.read(kind, name, options);
    };
    standby.place = { ...standby.place, cluster: { ...bound(cluster), read } };
    expect(await standby.pass()).toContain('remove ConfigMap other/b');
    expect(await standby.everything()).toEqual(['team/web-near']);
  });

  test('R22 are not made while the inventory that lists them is one that another process has shortened since', async () => {
    await leader.reaching({ maps: ['other/a', 'other/b'] });
    await leader.pass();
    deafness.begin(widgetKind);
    await leader.reaching({ maps: ['other/b'] });
    await leader.pass();
    await settled();
    await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await standby.names(ConfigMap)).toEqual(['other/b']);
  });

  test('R22 are not taken for an earlier resource of the name, of whose end nothing was heard', async () => {
    const { metadata } = await remade({ deafTo: widgetKind });
    await settled();
    await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    const [object] = (await standby.memory.list(ConfigMap, {})).items;
    expect(object && ownerAnnotationOf(object)?.uid).toBe(metadata.uid);
  });

  test.each([
    { when: 'other ones are wanted', wants: { maps: ['other/c'] } },
    { when: 'none are wanted', wants: {} },
  ])('R22 stay in the inventory of which nothing was heard, when $when', async ({ wants }) => {
    await leader.reaching({ maps: ['other/a'] });
    await leader.pass();
    await leader.reaching(wants);
    deafness.begin(widgetKind);
    await leader.reaching({ maps: ['other/a', 'other/b'] });
    await leader.pass();
    await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await standby.inventory()).toEqual({ ConfigMap: ['other/a', 'other/b'] });
    expect(await standby.finalizers()).toEqual(['reconstruct.dev/widget']);
  });
});
