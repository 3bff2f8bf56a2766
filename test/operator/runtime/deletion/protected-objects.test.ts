import type { Construct } from 'constructs';
import { afterEach, describe, expect, it } from 'vitest';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { leave } from '../../../../operator/runtime/rendering/keep.js';
import { createOnly } from '../../../../operator/runtime/rendering/object-policies.js';
import { GivenHouse, somebody } from '../given/house.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house?.close());

const finalizer = 'reconstruct.dev/widget';
const isNoted = (name: string, { status }: Widget) => String(status?.['note'] ?? '').includes(name);

/** Renders what `maps` names until it is noted, leaves it then, and notes what it sees at its end. */
const protecting = widgetController({
  ...{ owns: [ConfigMap], finalizes: true, conditions: {} },
  protects: ({ metadata }: Manifest, resource: object) => !isNoted(metadata.name, resource as Widget),
  desire: (scope: Construct, { resource }: { readonly resource: object }) => {
    const { metadata, spec } = resource as Widget;
    if (metadata.deletionTimestamp) return;
    for (const end of Object.keys(spec.maps ?? {})) {
      const name = `${metadata.name}-${end}`;
      if (isNoted(name, resource as Widget)) leave(scope, { kind: ConfigMap, name });
      else createOnly(add(scope, 'v1', 'ConfigMap', name, { data: {} }));
    }
  },
  assess: ({ owned, pruning, resource }: never) => {
    const before = String((resource as Widget).status?.['note'] ?? '');
    const there = [...(owned as never as { of(kind: object): Manifest[] }).of(ConfigMap)];
    const over = [...there, ...(pruning as never as { of(kind: object): Manifest[] }).of(ConfigMap)].filter(
      ({ metadata }) => metadata.annotations?.['over'] !== undefined && !before.includes(metadata.name),
    );
    return {
      conditions: {},
      status: { note: [before, ...over.map(({ metadata }) => metadata.name)].join(' ').trim() },
    };
  },
} as object);

async function given(ends: readonly string[] = ['a', 'b']): Promise<void> {
  house = new GivenHouse({ controller: protecting });
  await house.givenWidget({ maps: Object.fromEntries(ends.map((end) => [end, {}])) });
  await house.pass();
}

/** The object has its last state. */
async function ends(name: string): Promise<void> {
  const { metadata } = await house.read(ConfigMap, name);
  const after = { ...metadata, annotations: { ...metadata.annotations, over: 'true' } };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'team', annotations: after.annotations },
  };
  await house.given(ConfigMap, object);
}

async function settle(): Promise<void> {
  for (let passes = 0; passes < 6; passes++) await house.pass();
}

const finalizersOf = async (name: string) => (await house.read(ConfigMap, name)).metadata.finalizers ?? [];

describe('an object that a controller protects', () => {
  it('is created with its finalizer, and loses it when the status has its last state', async () => {
    await given();
    expect(await finalizersOf('web-a')).toEqual([finalizer]);
    await ends('web-a');
    await settle();
    expect([await finalizersOf('web-a'), await finalizersOf('web-b')]).toEqual([[], [finalizer]]);
    expect(await house.pass()).toEqual([]);
  });

  it('stays with its last state when a user deletes it, until the status has it', async () => {
    await given();
    await house.removed(ConfigMap, 'web-a');
    house.restart();
    await settle();
    expect((await house.read(ConfigMap, 'web-a')).metadata.deletionTimestamp).toBeDefined();
    await ends('web-a');
    await settle();
    expect(await house.names(ConfigMap)).toEqual(['team/web-b']);
    expect((await house.widget())['status'].note).toBe('web-a');
  });

  it('is deleted with the resource, whatever the status has', async () => {
    await given();
    await house.removed(widgetKind, 'web');
    await settle();
    expect([await house.names(ConfigMap), await house.names(widgetKind)]).toEqual([[], []]);
  });

  it('is left without the finalizer by a resource that a person releases', async () => {
    await given();
    const { metadata } = await house.widget();
    await house.removed(widgetKind, 'web');
    const annotations = { [releaseAnnotation]: metadata.uid };
    await house.memory.apply(widgetKind, { ...widget('web', undefined, { annotations }) } as never, somebody);
    await settle();
    expect(await house.names(widgetKind)).toEqual([]);
    for (const name of (await house.names(ConfigMap)).map((one) => one.replace('team/', '')))
      expect(await finalizersOf(name)).toEqual([]);
  });

  it('needs a controller that finalizes, because nothing else would remove the finalizer', () => {
    const props = { kind: widgetKind, owns: [ConfigMap], conditions: {}, protects: () => true };
    const define = () => defineController({ ...props, desire: () => {}, assess: () => ({ conditions: {} }) } as never);
    expect(define).toThrow('set finalizes');
  });
});
