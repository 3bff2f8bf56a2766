import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../operator/runtime/kinds.js';
import { configMap } from '../../given.js';
import { settled } from '../fake-clock.js';
import { GivenHouse, somebody } from './given-house.js';
import { add, type Widget, widgetController, widgetKind } from './given-widgets.js';

let house: GivenHouse;
const open = (...props: Parameters<typeof widgetController>) => {
  house = new GivenHouse({ controller: widgetController({ finalizes: true, ...props[0] }) });
  return house;
};
afterEach(() => house.close());

const ours = 'reconstruct.dev/widget';

describe('a resource whose controller finalizes', () => {
  it('R28 has the finalizer before anything is made for it, beside those of others', async () => {
    const house = open();
    await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
    expect(await house.pass()).toEqual([
      'apply Widget team/web',
      'create ConfigMap team/web-a',
      'apply Widget/status team/web',
    ]);
    expect((await house.widget()).metadata.finalizers).toEqual(['example.org/theirs', ours]);
    expect(await house.pass()).toEqual([]);
  });

  it('R28 goes when nothing is left', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {}, b: {} } });
    await house.pass();
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([
      'remove ConfigMap team/web-a',
      'remove ConfigMap team/web-b',
      'apply Widget team/web',
    ]);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  it('R28 stays while an object of it is held by a finalizer', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(widgetKind)).toEqual(['team/web']);
    await house.given(ConfigMap, configMap('web-a', { finalizers: [] }));
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it("R28 keeps others' finalizers", async () => {
    const house = open();
    await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
    await house.pass();
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect((await house.widget()).metadata.finalizers).toEqual(['example.org/theirs']);
    expect(await house.pass()).toEqual([]);
  });

  it('R28 may want something while it is being deleted, and gets that alone', async () => {
    let isCopied = false;
    const house = open({
      desire: (scope, { resource }) => {
        const { metadata, spec } = resource as Widget;
        if (!metadata.deletionTimestamp)
          for (const end of Object.keys(spec.maps ?? {})) add(scope, 'v1', 'ConfigMap', end);
        else if (!isCopied) add(scope, 'v1', 'ConfigMap', 'copy');
      },
    });
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([
      'create ConfigMap team/copy',
      'remove ConfigMap team/a',
      'apply Widget/status team/web',
    ]);
    isCopied = true;
    expect(await house.pass()).toEqual(['remove ConfigMap team/copy', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 is not made again by a pass that looked before it went', async () => {
    const house = open();
    await house.givenWidget(undefined, {});
    const { metadata } = await house.widget();
    await house.memory.remove(widgetKind, metadata, { uid: metadata.uid }); // the caches have not heard of it
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 that is deleted before its first pass is let go, and nothing is made', async () => {
    const house = open();
    await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([]);
    await house.memory.apply(
      widgetKind,
      { ...(await house.widget()), metadata: { name: 'web', namespace: 'team' } },
      somebody,
    );
    await settled();
    expect(await house.names(widgetKind)).toEqual([]);
  });
});
