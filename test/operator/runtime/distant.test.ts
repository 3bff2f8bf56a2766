import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownerAnnotation } from '../../../operator/runtime/claim.js';
import { distant, refuseNarrow } from '../../../operator/runtime/distant.js';
import { appliedAnnotation } from '../../../operator/runtime/inventory.js';
import { ClusterRole, ConfigMap, type ObjectKind, Secret } from '../../../operator/runtime/kinds.js';
import { inventoryAnnotation } from '../../../operator/runtime/recorded.js';
import { cutCluster } from '../../../operator/testing/cut-cluster.js';
import { KubeObject } from '../../../src/index.js';
import { configMap, type Loose } from '../../given.js';
import { settled } from '../fake-clock.js';
import { GivenHouse, somebody } from './given-house.js';
import { add, conditionOf, type Widget, widget, widgetController, widgetKind } from './given-widgets.js';

/** What a Widget becomes here: a ConfigMap beside it, and, by their names, ConfigMaps elsewhere and ClusterRoles. */
interface Reach {
  readonly maps?: readonly string[];
  readonly roles?: readonly string[];
}

const controller = () =>
  widgetController({
    owns: [distant(ConfigMap), ClusterRole, Secret],
    conditions: {},
    assess: ({ owned }) => ({ conditions: {}, status: { size: owned.all().length } }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget & { spec: Reach };
      add(scope, 'v1', 'Secret', `${metadata.name}-near`);
      for (const name of spec.roles ?? []) add(scope, 'rbac.authorization.k8s.io/v1', 'ClusterRole', name);
      for (const key of spec.maps ?? []) {
        const [namespace, name = ''] = key.split('/');
        new KubeObject(scope, key, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, ...(namespace && { namespace }) },
        });
      }
    },
  });

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse({ controller: controller() });
});
afterEach(() => house.close());

const reaching = (reach: Reach, metadata?: object) => house.givenWidget(reach as Widget['spec'], metadata);
const inventory = async () => JSON.parse((await house.widget()).metadata.annotations?.[inventoryAnnotation] ?? 'null');
const finalizers = async () => (await house.widget()).metadata.finalizers ?? [];
const everything = async () =>
  (await Promise.all([house.names(ConfigMap), house.names(ClusterRole), house.names(Secret)])).flat();
const removeWidget = async () => {
  const { metadata } = await house.widget();
  await house.memory.remove(widgetKind, metadata, { uid: metadata.uid });
  await settled();
};
/** Somebody changes the annotations of an object. */
const annotate = async (kind: ObjectKind, name: { namespace?: string; name: string }, annotations: object) => {
  const patch = [{ op: 'add', path: '/metadata/annotations', value: annotations }] as const;
  await house.memory.patch(kind, name, patch, somebody);
  await settled();
};
/** Others' finalizers on the ClusterRole `c`. */
const finalize = async (value: readonly string[]) => {
  await house.memory.patch(ClusterRole, { name: 'c' }, [{ op: 'add', path: '/metadata/finalizers', value }], somebody);
  await settled();
};
const web = { namespace: 'team', name: 'web' };

describe('objects that no owner reference reaches', () => {
  test('R22 are recorded, with a finalizer, before the first of them is made', async () => {
    await reaching({ maps: ['other/a'], roles: ['b'] });
    expect(await house.pass()).toEqual([
      'apply Widget team/web',
      'create ClusterRole b',
      'create Secret team/web-near',
      'create ConfigMap other/a',
      'apply Widget/status team/web',
    ]);
    expect(await inventory()).toEqual({ 'ClusterRole.rbac.authorization.k8s.io': ['b'], ConfigMap: ['other/a'] });
    expect(await finalizers()).toEqual(['reconstruct.dev/widget']);
  });

  test('R22 say by themselves whose they are, and are judged like the others', async () => {
    const { metadata } = await reaching({ roles: ['b'] });
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
    await reaching({ maps: ['other/a', 'team/a'], roles: ['b'] });
    await house.pass();
    for (let n = 0; n < 3; n++) expect(await house.pass()).toEqual([]);
    house.restart();
    expect(await house.pass()).toEqual([]);
  });

  test('R22 leave no trace on a resource that has none', async () => {
    await reaching({ maps: ['team/a'] });
    expect(await house.pass()).toEqual([
      'create Secret team/web-near',
      'create ConfigMap team/a',
      'apply Widget/status team/web',
    ]);
    expect((await house.widget()).metadata).not.toHaveProperty('annotations');
    expect(await finalizers()).toEqual([]);
  });

  test('R22 that are wanted no more go, last made first, and then leave the inventory', async () => {
    await reaching({ maps: ['other/a', 'other/b'], roles: ['c'] });
    await house.pass();
    await reaching({ maps: ['other/b', 'third/d'] });
    expect(await house.pass()).toEqual([
      'apply Widget team/web', // the union of what was and what will be
      'create ConfigMap third/d',
      'remove ConfigMap other/a',
      'remove ClusterRole c',
      'apply Widget team/web',
      'apply Widget/status team/web',
    ]);
    expect(await inventory()).toEqual({ ConfigMap: ['other/b', 'third/d'] });
  });

  test('R22 take the finalizer with them when the last of them is gone', async () => {
    await reaching({ roles: ['c'] });
    await house.pass();
    await reaching({});
    await house.pass();
    expect(await everything()).toEqual(['team/web-near']);
    expect(await finalizers()).toEqual([]);
    expect(await inventory()).toBeNull();
    expect(await house.pass()).toEqual([]);
  });

  test('R22 stay in the inventory while a finalizer holds them', async () => {
    await reaching({ roles: ['c'] });
    await house.pass();
    await finalize(['example.org/theirs']);
    await reaching({});
    await house.pass();
    expect(await inventory()).toEqual({ 'ClusterRole.rbac.authorization.k8s.io': ['c'] });
    expect(await finalizers()).toEqual(['reconstruct.dev/widget']);
  });

  test('R22 hold their resource while a finalizer holds them', async () => {
    await reaching({ roles: ['c'] });
    await house.pass();
    await finalize(['example.org/theirs']);
    await removeWidget();
    await house.pass();
    expect(house.recheck).toBe(5_000);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
    await finalize([]);
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });

  test('R22 are undone before their resource goes; what an owner reference reaches is left to the collector', async () => {
    await reaching({ maps: ['other/a'], roles: ['b'] });
    await house.pass();
    await removeWidget();
    expect(await house.pass()).toEqual(['remove ConfigMap other/a', 'remove ClusterRole b', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await everything()).toEqual(['team/web-near']);
  });

  test('R22 come back when somebody deletes them, and are mended', async () => {
    await reaching({ maps: ['other/a'] });
    await house.pass();
    const { metadata } = (await house.find(ConfigMap, { namespace: 'other', name: 'a' })) as Loose;
    await house.memory.remove(ConfigMap, metadata, { uid: metadata.uid });
    await settled();
    expect(await house.pass()).toEqual(['create ConfigMap other/a']);
  });

  test('R22 whose label was taken off are found when they are to go', async () => {
    await reaching({ roles: ['c'] });
    await house.pass();
    const patch = [{ op: 'remove', path: '/metadata/labels' }] as const;
    await house.memory.patch(ClusterRole, { name: 'c' }, patch, somebody);
    await settled();
    await reaching({});
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual([]);
  });

  test('R22 of an earlier resource of the name are taken over', async () => {
    await reaching({ roles: ['c'] });
    await house.pass();
    await house.memory.patch(widgetKind, web, [{ op: 'remove', path: '/metadata/finalizers' }], somebody);
    await removeWidget();
    const { metadata } = await reaching({ roles: ['c'] });
    await house.pass();
    const role = await house.find(ClusterRole, { name: 'c' });
    expect(role?.metadata.annotations?.[ownerAnnotation]).toContain(metadata.uid);
    await removeWidget();
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual([]);
  });

  test('R23 of another resource are left alone, and it is named', async () => {
    await house.given(widgetKind, widget('first', { roles: ['c'] } as object));
    await house.pass('team/first');
    await reaching({ roles: ['c'] });
    await house.pass();
    expect(conditionOf(await house.widget(), 'Conflict')).toMatchObject({
      message: 'ClusterRole c belongs to Widget.example.org team/first',
    });
    await removeWidget();
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual(['c']);
  });
});

describe('a forged claim', () => {
  test.each([
    {
      forged: 'an inventory that names what is not ours',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: "an inventory that names another resource's object",
      act: async () => {
        await house.given(widgetKind, widget('rich', { maps: ['kube-system/theirs'] } as object));
        await house.pass('team/rich');
        await annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: 'an object that claims to be ours',
      act: async () => {
        const { metadata } = await house.widget();
        const annotations = {
          [ownerAnnotation]: `Widget.example.org team/web ${metadata.uid}`,
          [appliedAnnotation]: 'x.y',
        };
        const labels = { 'reconstruct.dev/controller': 'widget' };
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system', labels, annotations }));
      },
    },
    {
      forged: 'an inventory that names what bears our label alone',
      act: async () => {
        const labels = { 'reconstruct.dev/controller': 'widget' };
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system', labels }));
        await annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: 'an inventory of a kind whose objects are never distant',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await annotate(widgetKind, web, { [inventoryAnnotation]: '{"Secret":["team/web-near"],"Pod":["a/b"]}' });
      },
    },
    {
      forged: 'an inventory that is none',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await annotate(widgetKind, web, { [inventoryAnnotation]: '["__proto__"' });
      },
    },
  ])('R22 deletes nothing, and comes to rest: $forged', async ({ act }) => {
    await reaching({});
    await house.pass();
    await act();
    for (let n = 0; n < 3; n++) await house.pass();
    expect(await house.pass()).toEqual([]);
    expect(await house.names(ConfigMap)).toContain('kube-system/theirs');
    await removeWidget();
    await house.pass();
    expect(await house.names(widgetKind)).not.toContain('team/web');
    expect(await house.names(ConfigMap)).toContain('kube-system/theirs');
  });

  test('R28 of a finalizer that a backup brought back does not hold the resource for ever', async () => {
    await reaching({}, { finalizers: ['reconstruct.dev/widget'] });
    await house.pass();
    await removeWidget();
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });
});

describe('a process that dies', () => {
  /** What happens to the resource before the process that dies looks at it, and what must be there in the end. */
  const lives = [
    { life: 'makes the first', before: undefined, after: { maps: ['other/a'], roles: ['b'] } },
    { life: 'replaces one by another', before: { maps: ['other/a'] }, after: { maps: ['third/a'], roles: ['b'] } },
    { life: 'prunes the last', before: { maps: ['other/a'], roles: ['b'] }, after: {} },
    { life: 'undoes all', before: { maps: ['other/a'], roles: ['b'] }, after: undefined },
  ] as readonly { life: string; before?: Reach | undefined; after?: Reach | undefined }[];

  test.each(lives)(
    'R22 at any call while it $life leaves nothing behind that the next one does not find',
    async (row) => {
      const { before, after } = row;
      const wanted = after && [...(after.maps ?? []), ...(after.roles ?? []), 'team/web-near'].sort();
      let cuts = 0;
      for (const isCarriedOut of [false, true]) {
        for (let write = 0, died = true; died; write++) {
          house.close();
          house = new GivenHouse({ controller: controller() });
          const whole = house.place.cluster;
          await reaching(before ?? after ?? {});
          if (before) await house.pass();
          if (before && after) await reaching(after);
          if (!after) await removeWidget();
          house.place = { ...house.place, cluster: cutCluster(house.memory, { write, isCarriedOut }) };
          died = await house.pass().then(
            () => false,
            () => true,
          );
          house.place = { ...house.place, cluster: whole };
          house.restart();
          await house.pass();
          if (wanted) expect((await everything()).sort(), `cut at write ${write}`).toEqual(wanted);
          if (after) await removeWidget();
          await house.pass();
          expect(await house.names(widgetKind), `cut at write ${write}`).toEqual([]);
          const left = (await everything()).filter((key) => key !== 'team/web-near');
          expect(left, `cut at write ${write}`).toEqual([]);
          cuts++;
        }
      }
      expect(cuts).toBeGreaterThan(6);
    },
  );

  test('R22 before it made what it recorded, and whose resource wants it no more, leaves the inventory right', async () => {
    await reaching({ maps: ['other/a'], roles: ['b'] });
    const whole = house.place.cluster;
    house.place = { ...house.place, cluster: cutCluster(house.memory, { write: 2, isCarriedOut: true }) };
    await expect(house.pass()).rejects.toThrow('the process died');
    house.place = { ...house.place, cluster: whole };
    house.restart();
    await reaching({});
    await house.pass();
    expect(await everything()).toEqual(['team/web-near']);
    expect(await inventory()).toBeNull();
  });
});

describe('an installation in some namespaces', () => {
  test.each([
    { owns: [ClusterRole], kinds: 'ClusterRole.rbac.authorization.k8s.io' },
    { owns: [distant(ConfigMap)], kinds: 'ConfigMap' },
  ])('R22 refuses at the start a controller that makes $kinds elsewhere', ({ owns, kinds }) => {
    const narrow = { name: 'widget', kind: widgetKind, owns };
    expect(() => refuseNarrow(narrow, ['team', 'more'])).toThrow(
      `controller widget makes ${kinds} outside of its resources' namespaces, but only team, more are watched`,
    );
    expect(() => refuseNarrow(narrow, [])).not.toThrow();
  });

  test('R22 runs a controller that makes nothing elsewhere', () => {
    expect(() => refuseNarrow({ name: 'widget', kind: widgetKind, owns: [ConfigMap] }, ['team'])).not.toThrow();
  });
});
