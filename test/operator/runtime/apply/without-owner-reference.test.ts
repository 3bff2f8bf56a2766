import { afterEach, describe, expect, test } from 'vitest';
import type { ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { crossNamespace, withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controlledByAnnotation } from '../../../../operator/runtime/kubernetes/object.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const untiedMaps = { owns: [withoutOwnerReference(ConfigMap)], finalizes: true } as const;
const keeping = (retains?: () => boolean) =>
  widgetController({ ...untiedMaps, name: 'widget', ...(retains && { retains }) });

async function given(leaves?: () => boolean): Promise<void> {
  house = new GivenHouse({ controller: keeping(leaves) });
  await house.givenWidget();
  await house.pass();
}

describe('untied objects', () => {
  test('R28 name their owner without an owner reference', async () => {
    await given();
    const { metadata } = await house.read(ConfigMap, 'web-a');
    expect(metadata.ownerReferences).toBeUndefined();
    const { uid } = (await house.widget()).metadata;
    expect(metadata.annotations?.[controlledByAnnotation]).toBe(`example.org/v1 Widget web ${uid}`);
  });

  test('R28 cost no request at rest, and are recreated when a user deletes them', async () => {
    await given();
    expect(await house.pass()).toEqual([]);
    house.restart();
    expect(await house.pass()).toEqual([]);
    await house.removed(ConfigMap, 'web-a');
    expect(await house.pass()).toEqual(['apply Widget team/web', 'create ConfigMap team/web-a']);
  });

  test('R28 go with their resource, before it', async () => {
    await given();
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual(['remove ConfigMap team/web-a', 'apply Widget team/web']);
  });

  test('R28 that are retained stay unchanged and have no owner', async () => {
    await given(() => true);
    const before = await house.read(ConfigMap, 'web-a');
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual(['patch ConfigMap team/web-a', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    const after = await house.read(ConfigMap, 'web-a');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.annotations).not.toHaveProperty(controlledByAnnotation);
  });

  test('R28 that were left are taken up by a resource of the same name, as they are', async () => {
    await given(() => true);
    const before = await house.read(ConfigMap, 'web-a');
    await house.removed(widgetKind, 'web');
    await house.pass();
    const { metadata } = await house.givenWidget();
    expect(await house.pass()).toContain('apply ConfigMap team/web-a');
    const after = await house.read(ConfigMap, 'web-a');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.annotations?.[controlledByAnnotation]).toContain(metadata.uid);
    expect(await house.pass()).toEqual([]);
  });

  test('R28 of a resource that a person let go stay, and are taken up by one of the same name', async () => {
    await given();
    const { uid } = (await house.widget()).metadata;
    const value = { [releaseAnnotation]: uid };
    await house.memory.patch(widgetKind, web, [{ op: 'add', path: '/metadata/annotations', value }], somebody);
    await settled();
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual(['apply Widget team/web']);
    await house.givenWidget();
    expect(await house.pass()).toContain('apply ConfigMap team/web-a');
    expect(await house.pass()).toEqual([]);
  });

  test('R28 of others are not taken up', async () => {
    house = new GivenHouse({ controller: keeping() });
    const annotations = { [controlledByAnnotation]: 'example.org/v1 Widget shop 11-22' };
    await house.given(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web-a', namespace: 'team', annotations },
    });
    await house.givenWidget();
    expect(await house.pass()).not.toContain('apply ConfigMap team/web-a');
    expect((await house.read(ConfigMap, 'web-a')).metadata.annotations).toEqual(annotations);
  });
});

test.each<{ why: string; owns: readonly ObjectKind[]; finalizes: boolean }>([
  {
    why: 'the garbage collector does not delete it: set finalizes',
    owns: [withoutOwnerReference(ConfigMap)],
    finalizes: false,
  },
  {
    why: 'cluster-scoped: choose one',
    owns: [Secret, withoutOwnerReference(crossNamespace(ConfigMap))],
    finalizes: true,
  },
])('R28 a controller is refused where $why', ({ why, owns, finalizes }) => {
  const props = {
    kind: widgetKind,
    owns,
    finalizes,
    conditions: {},
    desire: () => {},
    assess: () => ({ conditions: {} }),
  };
  expect(() => defineController(props as ControllerProps)).toThrow(why);
});

const web = { namespace: 'team', name: 'web' };
