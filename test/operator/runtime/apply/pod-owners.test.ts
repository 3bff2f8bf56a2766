import { afterEach, describe, expect, it, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, type ObjectKind, Pod } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controlledByAnnotation, type OwnerReference } from '../../../../operator/runtime/kubernetes/object.js';
import { podOwnerNames } from '../../../../operator/runtime/ownership/pod-owner.js';
import { createOnly } from '../../../../operator/runtime/rendering/object-policies.js';
import { type ControllerCase, controllerContract } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, type HouseProps, somebody } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house?.close());

const evictable = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

interface Podding {
  /** @default true */
  readonly once?: boolean;
  readonly owns?: readonly ObjectKind[];
  readonly retains?: () => boolean;
  /** The Pods stay while the Widget is being deleted. @default false */
  readonly stays?: boolean;
}

/** Renders a Pod for each entry of `maps`. */
const podding = ({ once = true, owns = [withoutOwnerReference(Pod)], retains, stays = false }: Podding = {}) =>
  widgetController({
    owns,
    finalizes: true,
    ...(retains && { retains }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget;
      if (metadata.deletionTimestamp && !stays) return;
      for (const [end, content] of Object.entries(spec.maps ?? {})) {
        const pod = add(scope, 'v1', 'Pod', `${metadata.name}-${end}`, {
          spec: { containers: [{ name: 'main', image: 'main:1' }] },
        });
        pod.metadata.addAnnotation('example.org/revision', content['revision'] ?? '1');
        if (once) createOnly(pod);
      }
    },
    conditions: {},
    assess: () => ({ conditions: {} }),
  });

const pods = (...ends: readonly string[]) => ({ maps: Object.fromEntries(ends.map((end) => [end, {}])) });

async function given(props: Podding = {}, more: HouseProps = {}): Promise<void> {
  house = new GivenHouse({ controller: podding(props), ...more });
  await house.givenWidget(pods('a', 'b'));
  await house.pass();
}

/** The one object that controls a Pod, as its references say. */
const controllerOf = async (name: string): Promise<OwnerReference> => {
  const pod = await house.read(Pod, name);
  const [first, ...others] = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => controller);
  expect([first !== undefined, others], `${name} has one controller`).toEqual([true, []]);
  return first as OwnerReference;
};

const podOwners = () => house.names(ConfigMap);
const podOwner = async (): Promise<Loose> => house.read(ConfigMap, (await controllerOf('web-a')).name);

describe.each([true, false])('a Pod without owner reference to its resource (made once: %s)', (once) => {
  test('R28 has a controller that no owner ties and that our finalizer holds, so that a drain accepts it', async () => {
    await given({ once });
    const { metadata } = await podOwner();
    expect(await controllerOf('web-b')).toEqual(await controllerOf('web-a'));
    expect(await controllerOf('web-a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', uid: metadata.uid });
    expect(metadata).toMatchObject({ namespace: 'team', finalizers: ['reconstruct.dev/widget'] });
    expect(metadata.ownerReferences).toBeUndefined();
    expect((await house.read(Pod, 'web-a')).metadata.annotations).toMatchObject({ [evictable]: 'true' });
    expect(await house.pass()).toEqual([]);
    house.restart();
    expect(await house.pass()).toEqual([]);
  });

  test('R28 of an older version gets one as it runs, and keeps what it was made from', async () => {
    house = new GivenHouse({ controller: podding({ once }) });
    const { metadata } = await house.givenWidget(pods('a'));
    await house.pass();
    await forget('web-a');
    await house.given(widgetKind, { ...(await house.widget()), spec: { maps: { a: { revision: '2' } } } } as never);
    const before = await house.read(Pod, 'web-a');
    const writes = await house.pass();
    expect(writes).toEqual([once ? 'patch Pod team/web-a' : 'apply Pod team/web-a', 'apply Widget/status team/web']);
    const after = await house.read(Pod, 'web-a');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.annotations?.['example.org/revision']).toBe(once ? '1' : '2');
    expect(after.metadata.annotations?.[controlledByAnnotation]).toContain(metadata.uid);
    expect((await controllerOf('web-a')).uid).toBe((await podOwner()).metadata.uid);
    expect(await house.pass()).toEqual([]);
  });

  test('R28 gets a new one before the old one is let go, when somebody deletes that', async () => {
    await given({ once });
    const old = (await podOwner()).metadata;
    await house.removed(ConfigMap, old.name);
    const writes = await house.pass();
    const next = await controllerOf('web-a');
    expect(next.uid).not.toBe(old.uid);
    expect(await controllerOf('web-b')).toEqual(next);
    expect(await podOwners()).toEqual([`team/${next.name}`]);
    const letGo = writes.indexOf(`patch ConfigMap team/${old.name}`);
    for (const pod of ['web-a', 'web-b'])
      expect(writes.indexOf(`${once ? 'patch' : 'apply'} Pod team/${pod}`)).toBeLessThan(letGo);
    expect(letGo).toBe(writes.length - 1);
    expect(await house.pass()).toEqual([]);

    await house.removed(ConfigMap, next.name);
    await house.pass();
    expect((await controllerOf('web-a')).name).toBe(old.name);
    expect(await house.pass()).toEqual([]);
  });
});

/** Takes what an older version did not write. */
async function forget(pod: string): Promise<void> {
  const { metadata } = await house.read(Pod, pod);
  const path = `/metadata/annotations/${evictable.replaceAll('/', '~1')}`;
  const patch = [{ op: 'remove', path: '/metadata/ownerReferences' } as const, { op: 'remove', path } as const];
  await house.memory.patch(Pod, metadata, patch, somebody);
  await settled();
  house.memory.forgetWrites();
}

test('R28 a Pod is protected from a foreground deletion of what controls it by its resource, while that stays', async () => {
  await given({ stays: true });
  const { uid } = (await house.widget()).metadata;
  const owners = async () => (await house.read(Pod, 'web-a')).metadata.ownerReferences;
  const widget = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid };
  expect(await owners()).toEqual([expect.objectContaining({ controller: true }), widget]);

  // The collector takes the reference to a resource that is deleted in the foreground. It stays away.
  await house.removed(widgetKind, 'web');
  const { metadata } = await house.read(Pod, 'web-a');
  await house.memory.patch(Pod, metadata, [{ op: 'remove', path: '/metadata/ownerReferences/1' }], somebody);
  await settled();
  expect(await house.pass()).toEqual(['apply Widget/status team/web']);
  expect(await owners()).toHaveLength(1);
});

test('R28 what controls Pods goes after them, and before their resource', async () => {
  await given();
  const { name } = (await podOwner()).metadata;
  await house.removed(widgetKind, 'web');
  const writes = await house.pass();
  expect(writes.slice(0, 2).toSorted()).toEqual(['remove Pod team/web-a', 'remove Pod team/web-b']);
  expect(writes.slice(2)).toEqual([
    `remove ConfigMap team/${name}`,
    `patch ConfigMap team/${name}`,
    'apply Widget team/web',
  ]);
  expect([await podOwners(), await house.names(widgetKind)]).toEqual([[], []]);
});

test('R28 what controls Pods goes with the last of them, and comes back with the first', async () => {
  await given();
  await house.givenWidget({ maps: {} });
  await house.pass();
  expect(await podOwners()).toEqual([]);
  await house.givenWidget(pods('a'));
  await house.pass();
  expect(await podOwners()).toEqual([`team/${(await controllerOf('web-a')).name}`]);
});

test('R28 a Pod that lost its label keeps a controller too, when what controls it is deleted', async () => {
  await given();
  const old = (await podOwner()).metadata;
  await house.givenWidget(pods('a'));
  const { metadata } = await house.read(Pod, 'web-b');
  await house.memory.patch(Pod, metadata, [{ op: 'remove', path: '/metadata/labels' }], somebody);
  await settled();
  await house.removed(ConfigMap, old.name);
  await house.pass();
  expect(await podOwners()).not.toContain(`team/${old.name}`);
  expect(await controllerOf('web-b')).toEqual(await controllerOf('web-a'));
});

test('R28 what controls Pods is held while no other can take its place', async () => {
  const refuses = { create: false };
  const isRefused = (kind: ObjectKind) => refuses.create && kind.kind === 'ConfigMap';
  const faults: HouseProps['faults'] = (cluster) => ({
    ...bound(cluster),
    create: (kind, ...args) =>
      isRefused(kind) ? Promise.reject(new Error('quota exceeded')) : cluster.create(kind, ...args),
  });
  await given({}, { faults });
  const { name, uid } = (await podOwner()).metadata;
  refuses.create = true;
  await house.removed(ConfigMap, name);
  await expect(house.pass()).rejects.toThrow('quota exceeded');
  expect((await house.read(ConfigMap, name)).metadata).toMatchObject({ uid, finalizers: ['reconstruct.dev/widget'] });
  expect((await controllerOf('web-a')).uid).toBe(uid);
  refuses.create = false;
  await house.pass();
  expect((await controllerOf('web-a')).uid).not.toBe(uid);
});

test('R28 what controls Pods is let go with a released resource, and stays with its Pods', async () => {
  await given({ stays: true });
  const { name, uid } = (await podOwner()).metadata;
  const value = { [releaseAnnotation]: (await house.widget()).metadata.uid };
  await house.memory.patch(widgetKind, web, [{ op: 'add', path: '/metadata/annotations', value }], somebody);
  await settled();
  await house.removed(widgetKind, 'web');
  await house.pass();
  expect(await house.names(widgetKind)).toEqual([]);
  const left = (await house.read(ConfigMap, name)).metadata;
  expect([left.uid, left.finalizers ?? []]).toEqual([uid, []]);
  expect((await controllerOf('web-a')).uid).toBe(uid);

  const { metadata } = await house.givenWidget(pods('a', 'b'));
  await house.pass();
  expect((await controllerOf('web-a')).uid).toBe(uid);
  const adopted = (await podOwner()).metadata;
  expect(adopted.finalizers).toEqual(['reconstruct.dev/widget']);
  expect(adopted.annotations?.[controlledByAnnotation]).toContain(metadata.uid);
  expect(await house.pass()).toEqual([]);
});

test('R28 a retained Pod is nobody’s, also not that of what controlled it', async () => {
  await given({ retains: () => true });
  await house.removed(widgetKind, 'web');
  await house.pass();
  expect(await podOwners()).toEqual([]);
  const { annotations, ownerReferences = [] } = (await house.read(Pod, 'web-a')).metadata;
  expect([annotations?.[controlledByAnnotation], ownerReferences]).toEqual([undefined, []]);
});

test('R28 a controller does not see what controls its Pods among its own ConfigMaps', async () => {
  const seen: string[] = [];
  const { desire, ...controller } = podding({ owns: [withoutOwnerReference(Pod), withoutOwnerReference(ConfigMap)] });
  house = new GivenHouse({
    controller: {
      ...controller,
      desire: (scope, facts) => {
        seen.push(...facts.owned.all().map(({ kind }) => kind));
        desire(scope, facts);
      },
    },
  });
  await house.givenWidget(pods('a'));
  await house.pass();
  await house.removed(Pod, 'web-a');
  await house.pass();
  expect(seen).toEqual([]);
});

test('R28 an operator replaces what controls Pods as soon as somebody deletes it', async () => {
  const operator = await new GivenOperator({ controllers: [podding()] }).start();
  const owners = () => operator.memory.peek(ConfigMap);
  await operator.given(widgetKind, widget('web', pods('a')));
  const [old] = owners().values();
  await operator.memory.remove(ConfigMap, old?.metadata ?? web, { uid: old?.metadata.uid ?? '' });
  await settled();
  const [next, ...others] = owners().values();
  expect([next?.metadata.name === old?.metadata.name, others]).toEqual([false, []]);
  const pod = operator.memory.peek(Pod).get('team/web-a');
  expect(pod?.metadata.ownerReferences?.[0]?.uid).toBe(next?.metadata.uid);
  await operator.close();
});

test('R28 two resources, and two controllers of one, have Pods with different owners', async () => {
  await given();
  const { name } = await controllerOf('web-a');
  await house.given(widgetKind, widget('web-2', pods('a')));
  await house.pass('team/web-2');
  expect((await controllerOf('web-2-a')).name).not.toBe(name);
  const of = (controller: string, resource: string) => podOwnerNames({ controller: { name: controller }, resource });
  expect(new Set([...of('widget', 'web'), ...of('gadget', 'web'), ...of('widget', 'web-2')]).size).toBe(6);
  expect(of('widget', 'a'.repeat(253)).every((one) => one.length <= 253)).toBe(true);
});

test('R33 a controller with such Pods may do to ConfigMaps what that takes', () => {
  const { rbacRules } = podding();
  const [rule] = rbacRules.filter(({ resources }) => resources.includes('configmaps'));
  expect(rule?.verbs).toEqual(expect.arrayContaining(['list', 'watch', 'create', 'patch', 'delete']));
});

const web = { namespace: 'team', name: 'web' };

describe('a controller of such Pods', () => {
  const given = { resource: widget('web', pods('a', 'b')), edited: pods('b', 'c') } as ControllerCase;
  for (const { name, holds } of controllerContract(podding() as Controller, given)) it(name, holds);
});
