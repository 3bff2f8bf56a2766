import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { crossNamespace, refuseNarrowScope } from '../../../../operator/runtime/controller/owned-kinds.js';
import { refer } from '../../../../operator/runtime/controller/reads.js';
import { ClusterRole, ConfigMap, Node, optional, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { ownerAnnotation } from '../../../../operator/runtime/ownership/ownership-labels.js';
import { KubeObject } from '../../../../src/index.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { ReachHouse, reachingController } from '../given/reach.js';
import { conditionOf, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: ReachHouse;
beforeEach(() => {
  house = new ReachHouse();
});
afterEach(() => house.close());

const web = { namespace: 'team', name: 'web' };

describe('objects that no owner reference reaches', () => {
  test('R22 are recorded, with a finalizer, before the first of them is made', async () => {
    await house.reaching({ maps: ['other/a'], roles: ['b'] });
    expect(await house.pass()).toEqual([
      'apply Widget team/web',
      'create ClusterRole b',
      'create Secret team/web-near',
      'create ConfigMap other/a',
      'apply Widget/status team/web',
    ]);
    expect(await house.inventory()).toEqual({ 'ClusterRole.rbac.authorization.k8s.io': ['b'], ConfigMap: ['other/a'] });
    expect(await house.finalizers()).toEqual(['reconstruct.dev/widget']);
  });

  test('R22 name their owner themselves and are assessed like the others', async () => {
    const { metadata } = await house.reaching({ roles: ['b'] });
    await house.pass();
    const role = await house.find(ClusterRole, { name: 'b' });
    expect(role?.metadata).toMatchObject({
      labels: { 'reconstruct.dev/controller': 'widget' },
      annotations: { [ownerAnnotation]: `Widget.example.org team/web ${metadata.uid}` },
    });
    expect(role?.metadata.ownerReferences).toBeUndefined();
    expect((await house.widget())['status']).toMatchObject({ size: 2 });
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  test('R17 cost no request once they are settled, in a new process neither', async () => {
    await house.reaching({ maps: ['other/a', 'team/a'], roles: ['b'] });
    await house.pass();
    for (let n = 0; n < 3; n++) expect(await house.pass()).toEqual([]);
    house.restart();
    expect(await house.pass()).toEqual([]);
  });

  test('R22 leave no trace on a resource that has none', async () => {
    await house.reaching({ maps: ['team/a'] });
    expect(await house.pass()).toEqual([
      'create Secret team/web-near',
      'create ConfigMap team/a',
      'apply Widget/status team/web',
    ]);
    expect((await house.widget()).metadata).not.toHaveProperty('annotations');
    expect(await house.finalizers()).toEqual([]);
  });

  test('R22 that are wanted no more go, last made first, and then leave the inventory', async () => {
    await house.reaching({ maps: ['other/a', 'other/b'], roles: ['c'] });
    await house.pass();
    await house.reaching({ maps: ['other/b', 'third/d'] });
    expect(await house.pass()).toEqual([
      'apply Widget team/web', // the union of what was and what will be
      'create ConfigMap third/d',
      'remove ConfigMap other/a',
      'remove ClusterRole c',
      'apply Widget team/web',
      'apply Widget/status team/web',
    ]);
    expect(await house.inventory()).toEqual({ ConfigMap: ['other/b', 'third/d'] });
  });

  test('R22 take the finalizer with them when the last of them is gone', async () => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    await house.reaching({});
    await house.pass();
    expect(await house.everything()).toEqual(['team/web-near']);
    expect(await house.finalizers()).toEqual([]);
    expect(await house.inventory()).toBeNull();
    expect(await house.pass()).toEqual([]);
  });

  test('R22 stay in the inventory while a finalizer holds them', async () => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    await house.finalize(['example.org/theirs']);
    await house.reaching({});
    await house.pass();
    expect(await house.inventory()).toEqual({ 'ClusterRole.rbac.authorization.k8s.io': ['c'] });
    expect(await house.finalizers()).toEqual(['reconstruct.dev/widget']);
  });

  test('R22 hold their resource while a finalizer holds them', async () => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    await house.finalize(['example.org/theirs']);
    await house.removeWidget();
    await house.pass();
    expect(house.recheck).toBe(5_000);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
    await house.finalize([]);
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });

  test('R22 are undone before their resource goes; what an owner reference reaches is left to the collector', async () => {
    await house.reaching({ maps: ['other/a'], roles: ['b'] });
    await house.pass();
    await house.removeWidget();
    expect(await house.pass()).toEqual(['remove ConfigMap other/a', 'remove ClusterRole b', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.everything()).toEqual(['team/web-near']);
  });

  test('R22 are recreated and repaired when a user deletes or edits them', async () => {
    await house.reaching({ maps: ['other/a'] });
    await house.pass();
    const { metadata } = (await house.find(ConfigMap, { namespace: 'other', name: 'a' })) as Loose;
    await house.memory.remove(ConfigMap, metadata, { uid: metadata.uid });
    await settled();
    expect(await house.pass()).toEqual(['apply Widget team/web', 'create ConfigMap other/a']);
  });

  test('R22 without their label are found for their deletion', async () => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    const patch = [{ op: 'remove', path: '/metadata/labels' }] as const;
    await house.memory.patch(ClusterRole, { name: 'c' }, patch, somebody);
    await settled();
    await house.reaching({});
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual([]);
  });

  test('R22 of an earlier resource of the name are taken over', async () => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    await house.memory.patch(widgetKind, web, [{ op: 'remove', path: '/metadata/finalizers' }], somebody);
    await house.removeWidget();
    const { metadata } = await house.reaching({ roles: ['c'] });
    await house.pass();
    const role = await house.find(ClusterRole, { name: 'c' });
    expect(role?.metadata.annotations?.[ownerAnnotation]).toContain(metadata.uid);
    await house.removeWidget();
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual([]);
  });

  test('R23 of another resource are left alone, and it is named', async () => {
    await house.given(widgetKind, widget('first', { roles: ['c'] } as object));
    await house.pass('team/first');
    await house.reaching({ roles: ['c'] });
    await house.pass();
    expect(conditionOf(await house.widget(), 'Conflicted')).toMatchObject({
      message: 'ClusterRole c belongs to Widget.example.org team/first',
    });
    await house.removeWidget();
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual(['c']);
  });
});

describe('a resource that is in no namespace', () => {
  test('R22 owns what is in namespaces by owner references: nothing is recorded', async () => {
    house.close();
    const clusterKind = { ...widgetKind, namespaced: false };
    const controller = widgetController({
      kind: clusterKind,
      conditions: {},
      assess: () => ({ conditions: {} }),
      desire: (scope) => {
        for (const namespace of ['one', 'two']) {
          new KubeObject(scope, namespace, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } });
        }
      },
    });
    const wide = new GivenHouse({ controller });
    await wide.given(clusterKind, { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'web' } });
    expect(await wide.pass('web')).toEqual([
      'create ConfigMap one/a',
      'create ConfigMap two/a',
      'apply Widget/status web',
    ]);
    expect(await wide.pass('web')).toEqual([]);
    wide.close();
  });
});

describe('an installation in some namespaces', () => {
  test.each([
    { owns: [ClusterRole], kinds: 'ClusterRole.rbac.authorization.k8s.io' },
    { owns: [crossNamespace(ConfigMap)], kinds: 'ConfigMap' },
  ])('R22 refuses at the start a controller that makes $kinds elsewhere', ({ owns, kinds }) => {
    const narrow = { name: 'widget', kind: widgetKind, owns };
    expect(() => refuseNarrowScope(narrow, ['team', 'more'])).toThrow(
      `controller widget creates ${kinds} outside of its resources' namespaces, but only team, more are watched`,
    );
    expect(() => refuseNarrowScope(narrow, [])).not.toThrow();
  });

  test('R22 refuses one that cannot do without what is in no namespace', () => {
    const reading = (kind: typeof Node) => ({
      ...{ name: 'widget', kind: widgetKind, owns: [ConfigMap] },
      reads: { nodes: refer.matchingLabels(kind, () => ({ labels: {} })) },
    });
    expect(() => refuseNarrowScope(reading(Node), ['team'])).toThrow(
      'controller widget reads Node, which is cluster-scoped, but only team is watched: watch all namespaces, or read it as optional',
    );
    expect(() => refuseNarrowScope(reading(Node), [])).not.toThrow();
    expect(() => refuseNarrowScope(reading(optional(Node)), ['team'])).not.toThrow();
  });

  test('R22 owns objects of the other namespaces that it lists, if all of them are watched', async () => {
    const controller = reachingController({ owns: [crossNamespace(ConfigMap, ['more']), Secret] });
    const given = await new GivenOperator({ controllers: [controller], namespaces: ['team', 'more'] }).start();
    const uid = (await given.given(widgetKind, widget('web', { maps: ['more/a'] } as object))).metadata.uid;
    await given.clock.advance(1_000);
    expect(given.writes).toContain('create ConfigMap more/a');
    await given.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid });
    await given.clock.advance(10_000);
    expect(await given.memory.read(ConfigMap, { namespace: 'more', name: 'a' })).toBeUndefined();
    expect(await given.widget()).toBeUndefined();
    await given.close();
  });

  test('R22 renders nothing into a namespace that it does not list', async () => {
    const house = new GivenHouse({
      controller: reachingController({ owns: [crossNamespace(ConfigMap, ['more']), Secret] }),
    });
    await house.givenWidget({ maps: ['elsewhere/a'] } as object);
    await expect(house.pass()).rejects.toThrow(
      'widget renders ConfigMap a into namespace elsewhere, which crossNamespace(ConfigMap) in owns does not list: add it there',
    );
    house.close();
  });

  test('R22 must list the namespaces, because what it made must not depend on the installation', () => {
    expect(() => widgetController({ owns: [crossNamespace(ConfigMap, 'watched')] })).toThrow(
      'controller widget: ConfigMap in owns is limited to watched namespaces: list the namespaces in crossNamespace(ConfigMap, […])',
    );
  });

  test('R22 is refused by the operator itself', () => {
    const controllers = [reachingController()];
    expect(() => new GivenOperator({ controllers, namespaces: ['team'] })).toThrow('outside of its resources');
  });

  test('R33 needs the right to hold its resources, and no other kind does', () => {
    const verbs = ({ rbacRules }: Controller) => rbacRules.find(({ resources }) => resources[0] === 'widgets')?.verbs;
    expect(verbs(reachingController())).toEqual(['list', 'watch', 'get', 'patch']);
    expect(verbs(widgetController())).toEqual(['list', 'watch']);
  });

  test('R22 runs a controller that makes nothing elsewhere', () => {
    expect(() => refuseNarrowScope({ name: 'widget', kind: widgetKind, owns: [ConfigMap] }, ['team'])).not.toThrow();
  });
});
