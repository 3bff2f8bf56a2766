import { afterEach, describe, expect, it } from 'vitest';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { ApiError, RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { add, conditionOf, type Widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
const open = (...props: Parameters<typeof widgetController>) => {
  house = new GivenHouse({ controller: widgetController({ finalizes: true, ...props[0] }) });
  return house;
};
afterEach(() => house.close());

const ours = 'reconstruct.dev/widget';

const rejecting = () => {
  throw new RejectedError('NotPossible', 'set size to 1');
};

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

  it('R28 is deleted when nothing is left', async () => {
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
    const house = open({ assess: () => ({ conditions: { Sized: { reason: 'Fits' } } }) });
    await house.givenWidget();
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(widgetKind)).toEqual(['team/web']);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'Terminating',
      message: 'Deletion is in progress, waiting for ConfigMap web-a (held by finalizer example.org/theirs)',
    });
    expect(await house.pass()).toEqual([]);
    await house.given(ConfigMap, configMap('web-a', { finalizers: [] }));
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 names the objects that are terminating, and not those that it still needs', async () => {
    const house = open({
      desire: (scope, { resource }) => {
        add(scope, 'v1', 'ConfigMap', 'needed');
        if (!resource.metadata.deletionTimestamp) add(scope, 'v1', 'ConfigMap', 'stopping');
      },
    });
    await house.givenWidget();
    await house.pass();
    await house.given(ConfigMap, configMap('stopping', { finalizers: ['example.org/theirs'] }));
    await house.removed(widgetKind, 'web');
    await house.pass();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Ready')?.['message']).toBe(
      'Deletion is in progress, waiting for ConfigMap stopping (held by finalizer example.org/theirs)',
    );
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
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      message: 'Deletion is in progress, waiting for ConfigMap copy',
    });
    isCopied = true;
    expect(await house.pass()).toEqual(['remove ConfigMap team/copy', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 is not made again by a pass that looked before it went', async () => {
    const house = open();
    await house.givenWidget(undefined, {});
    const { metadata } = await house.widget();
    house.close(); // the caches do not hear of it
    await house.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 has no finalizer while there is nothing to undo', async () => {
    const house = open();
    await house.givenWidget({ maps: {} });
    expect(await house.pass()).toEqual(['apply Widget/status team/web']);
    await house.givenWidget({ rejected: 'set size to 1' });
    expect(await house.pass()).not.toContain('apply Widget team/web');
    await house.givenWidget({ maps: { a: {} } });
    expect(await house.pass()).toContain('apply Widget team/web');
    await house.givenWidget({ maps: {} });
    expect(await house.pass()).toEqual([
      'remove ConfigMap team/web-a',
      'apply Widget team/web',
      'apply Widget/status team/web',
    ]);
    expect((await house.widget()).metadata.finalizers ?? []).toEqual([]);
    expect(await house.pass()).toEqual([]);
  });

  it('R28 has the finalizer too while there is something to undo that is no object of the cluster', async () => {
    const account = 'example.org/account';
    const external = ({ metadata }: CustomResource) => metadata.annotations?.[account] !== undefined;
    const house = open({ finalizes: { external } });
    const held = async () => (await house.widget()).metadata.finalizers ?? [];
    await house.givenWidget({ maps: {} }, { annotations: { [account]: 'theirs' } });
    await house.pass();
    expect(await held()).toEqual([ours]);
    await house.givenWidget({ maps: { a: {} } }, { annotations: { [account]: 'theirs' } });
    await house.pass();
    await house.givenWidget({ maps: {} }, { annotations: { [account]: 'theirs' } });
    expect(await house.pass()).toContain('remove ConfigMap team/web-a');
    expect(await held()).toEqual([ours]);
    expect(await house.pass()).toEqual([]);
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 is undone in reverse order, what others build upon only when those are gone', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {} }, workload: true });
    await house.pass();
    const held = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'team', name: 'web' } };
    await house.given(Deployment, { ...held, metadata: { ...held.metadata, finalizers: ['example.org/theirs'] } });
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([
      'remove HorizontalPodAutoscaler team/web',
      'remove Deployment team/web',
      'apply Widget/status team/web',
    ]);
    expect(await house.pass()).toEqual([]);
    await house.given(Deployment, held);
    expect(await house.pass()).toEqual([
      'remove Service team/web',
      'remove ConfigMap team/web-a',
      'apply Widget team/web',
    ]);
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it('R28 is deleted even if another client has set its finalizer too', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    await house.givenWidget({ maps: { a: {} } }, { finalizers: [ours] }); // a copy of the live object, applied
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([
      'remove ConfigMap team/web-a',
      'apply Widget team/web',
      'patch Widget team/web',
    ]);
    expect(await house.names(widgetKind)).toEqual([]);
  });

  it.each([
    { when: 'nothing is wanted any more', wants: [], left: [] },
    { when: 'something new is wanted first', wants: ['copy'], left: ['team/web-a'] },
  ])('R28 is undone in a namespace that is being deleted, with no loss: $when', async ({ wants, left }) => {
    const terminating = { isOn: false };
    const refusal = new ApiError('the namespace is being terminated', { code: 403, reason: 'NamespaceTerminating' });
    house = new GivenHouse({
      controller: widgetController({
        finalizes: true,
        desire: (scope, { resource }) => {
          const { metadata, spec } = resource as Widget;
          const ends = metadata.deletionTimestamp ? wants : Object.keys(spec.maps ?? {});
          for (const end of ends) add(scope, 'v1', 'ConfigMap', `web-${end}`);
        },
      }),
      faults: (cluster) => ({
        ...bound(cluster),
        create: (...args) => (terminating.isOn ? Promise.reject(refusal) : cluster.create(...args)),
      }),
    });
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    terminating.isOn = true;
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(left);
    if (wants.length === 0) return expect(await house.names(widgetKind)).toEqual([]);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      reason: 'NamespaceTerminating',
      message: 'ConfigMap web-copy cannot be created because its namespace is being deleted',
    });
    expect(house.recheck).toBe(30_000);
  });

  it('R28 that is rejected goes when there is nothing of it', async () => {
    const house = open({ desire: rejecting });
    await house.givenWidget({ maps: {} }, { finalizers: [ours] });
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual(['apply Widget team/web', 'patch Widget team/web']);
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
