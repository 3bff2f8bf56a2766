import { afterEach, expect, it } from 'vitest';
import { shared, withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { GarbageCollection } from '../../../../operator/runtime/deletion/garbage-collection.js';
import {
  ConfigMap,
  type ObjectKind,
  PersistentVolumeClaim,
  Pod,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import { controlledByAnnotation } from '../../../../operator/runtime/kubernetes/object.js';
import { appliedAnnotation, controllerLabel } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { podOwnerNames } from '../../../../operator/runtime/ownership/pod-owner.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, type HouseProps } from '../given/house.js';
import { failure } from '../given/scripted-cluster.js';
import { widgetController, widgetKind } from '../given/widgets.js';

const owner = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid: 'uid-of-before', controller: true };
const labels = { [controllerLabel]: 'widget' };
const annotations = { [appliedAnnotation]: 'a' };
const left = { labels, annotations, ownerReferences: [owner] };

let house: GivenHouse;
let ending: AbortController;
let ended: Promise<void>;
let warnings: string[];
const open = async (props: HouseProps = {}) => {
  house = new GivenHouse(props);
  [ending, warnings] = [new AbortController(), []];
  const telemetry = { ...silent, log: { ...silent.log, warn: (_: object, message: string) => warnings.push(message) } };
  await settled();
  ended = new GarbageCollection({ ...house.place, telemetry }).run(ending.signal);
  return house;
};
afterEach(async () => {
  const { waiting } = house.clock;
  ending.abort();
  await ended;
  expect(house.clock.waiting, 'its own timer is gone').toBe(waiting - 1);
  house.close();
});

/** Those of the house's objects that stay for as long. */
const after = async (ms: number, kind: ObjectKind = ConfigMap) => {
  await house.clock.advance(ms);
  return house.names(kind);
};

it.each([
  { of: 'of which another one has the name', isAgain: true },
  { of: 'that nobody has made again', isAgain: false },
])('R22 what the garbage collector leaves of a resource goes after 120 s, $of', async ({ isAgain }) => {
  await open();
  if (isAgain) await house.givenWidget();
  await house.given(ConfigMap, configMap('web-a', left));
  await house.given(ConfigMap, configMap('web-theirs'));
  expect(await after(119_999)).toEqual(['team/web-a', 'team/web-theirs']);
  expect(await after(1)).toEqual(['team/web-theirs']);
  expect(warnings).toEqual(['Deleted objects of a deleted resource that garbage collection missed']);
});

it.each([
  { why: 'it has another owner', metadata: { ...left, ownerReferences: [owner, { ...owner, name: 'b', uid: 'b' }] } },
  { why: 'it is of another kind', metadata: { ...left, ownerReferences: [{ ...owner, kind: 'Gadget' }] } },
  { why: 'it is of another group', metadata: { ...left, ownerReferences: [{ ...owner, apiVersion: 'b/v1' }] } },
  { why: 'another controller made it', metadata: { ...left, labels: { [controllerLabel]: 'gadget' } } },
  { why: 'no controller made it', metadata: { ...left, annotations: {} } },
  { why: 'nobody owns it', metadata: { labels, annotations } },
])('R22 what a resource that is gone is said to own stays when $why', async ({ metadata }) => {
  await (await open()).given(ConfigMap, configMap('web-a', metadata));
  expect(await after(600_000)).toEqual(['team/web-a']);
});

it.each([
  { kind: withoutOwnerReference(ConfigMap), is: 'one that no owner reference ties' },
  { kind: shared(ConfigMap), is: 'one that others may share' },
])('R22 what a resource that is gone is said to own stays where its kind is $is', async ({ kind }) => {
  await open({ controller: widgetController({ owns: [kind], finalizes: true }) });
  await house.given(ConfigMap, configMap('web-a', left));
  expect(await after(600_000)).toEqual(['team/web-a']);
});

it.each([
  { of: 'of a resource that is gone is let go, and stays', owner: 'uid-of-before', finalizers: [] },
  { of: 'of another kind stays held', kind: 'Gadget', owner: 'uid-of-before', finalizers: ['reconstruct.dev/widget'] },
])('R22 what controls the Pods $of', async ({ kind = 'Widget', owner: uid, finalizers }) => {
  const [name = ''] = podOwnerNames({ controller: { name: 'widget' }, resource: 'web' });
  await open({ controller: widgetController({ owns: [withoutOwnerReference(Pod)], finalizes: true }) });
  const tied = { ...annotations, [controlledByAnnotation]: `example.org/v1 ${kind} web ${uid}` };
  const metadata = { labels, annotations: tied, finalizers: ['reconstruct.dev/widget'] };
  await house.given(ConfigMap, configMap(name, metadata));
  await house.given(ConfigMap, configMap('web-data', metadata));
  expect(await after(600_000)).toEqual(['team/web-data', `team/${name}`]);
  expect((await house.read(ConfigMap, name)).metadata.finalizers ?? []).toEqual(finalizers);
  expect((await house.read(ConfigMap, 'web-data')).metadata.finalizers).toEqual(['reconstruct.dev/widget']);
});

it('R22 an object that is being deleted is not deleted again', async () => {
  await open();
  await house.given(ConfigMap, configMap('web-a', { ...left, finalizers: ['example.org/theirs'] }));
  await house.removed(ConfigMap, 'web-a');
  expect(await after(600_000)).toEqual(['team/web-a']);
  expect([house.writes, warnings]).toEqual([[], []]);
});

it('R22 nobody is asked while the caches know of no resources at all: their kind is not served', async () => {
  const hears: HouseProps['hears'] = (cluster) => ({
    ...bound(cluster),
    list: (kind, query) => (kind === widgetKind ? Promise.reject(failure(404, 'NotFound')) : cluster.list(kind, query)),
    watch: (kind, query) => {
      if (kind === widgetKind) throw failure(404, 'NotFound');
      return cluster.watch(kind, query);
    },
  });
  await (await open({ hears })).given(ConfigMap, configMap('web-a', left));
  expect(await after(600_000)).toEqual(['team/web-a']);
});

it('R22 an object with data stays even without its owner', async () => {
  await open({ controller: widgetController({ owns: [ConfigMap, PersistentVolumeClaim] }) });
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'web', namespace: 'team', ...left },
  };
  await house.given(PersistentVolumeClaim, claim);
  expect(await after(600_000, PersistentVolumeClaim)).toEqual(['team/web']);
});

it('R22 what belongs to a resource of which no watch has told stays', async () => {
  const hears: HouseProps['hears'] = (cluster) => ({
    ...bound(cluster),
    list: async (kind, query) => ({ ...(await cluster.list(kind, query)), ...(kind === widgetKind && { items: [] }) }),
    watch: (kind, query) => cluster.watch(kind === widgetKind ? ConfigMap : kind, query),
  });
  await open({ hears });
  const { metadata } = await house.givenWidget();
  await house.given(ConfigMap, configMap('web-a', { ...left, ownerReferences: [{ ...owner, uid: metadata.uid }] }));
  expect(await after(600_000)).toEqual(['team/web-a']);
});

it('R22 that a server does not serve the kind does not prove that its resources are gone', async () => {
  let isServed = false;
  const faults: HouseProps['faults'] = (cluster) => ({
    ...bound(cluster),
    list: (kind, query) =>
      kind === widgetKind && !isServed ? Promise.reject(failure(404, 'NotFound')) : cluster.list(kind, query),
    read: (kind, name) => (kind === widgetKind && !isServed ? Promise.resolve(undefined) : cluster.read(kind, name)),
  });
  await (await open({ faults })).given(ConfigMap, configMap('web-a', left));
  expect(await after(600_000)).toEqual(['team/web-a']);
  expect(warnings[0]).toBe('Failed to check the owners of objects, retrying');
  isServed = true;
  expect(await after(30_000)).toEqual([]);
});

it('R22 an object that changed since it was read is read again', async () => {
  const refusals = [failure(409, 'Conflict'), failure(404, 'NotFound')];
  const seen: unknown[] = [];
  const faults: HouseProps['faults'] = (cluster) => ({
    ...bound(cluster),
    remove: (kind, name, preconditions, options) => {
      seen.push(preconditions);
      const refusal = refusals.pop();
      return refusal ? Promise.reject(refusal) : cluster.remove(kind, name, preconditions, options);
    },
  });
  const { metadata } = await (await open({ faults })).given(ConfigMap, configMap('web-a', left));
  expect(await after(150_000)).toEqual(['team/web-a']);
  expect(await after(30_000)).toEqual([]);
  expect(warnings).toEqual(['Deleted objects of a deleted resource that garbage collection missed']);
  const { uid, resourceVersion } = metadata;
  expect(seen).toEqual(Array.from({ length: 3 }, () => ({ uid, resourceVersion })));
});

it('R22 a resource that is there again by the next look has its 90 s once more', async () => {
  await open();
  const { metadata } = await house.givenWidget();
  await house.given(ConfigMap, configMap('web-a', { ...left, ownerReferences: [{ ...owner, uid: metadata.uid }] }));
  expect(await after(90_000)).toEqual(['team/web-a']);
  await house.removed(widgetKind, 'web');
  expect(await after(119_999)).toEqual(['team/web-a']);
  expect(await after(1)).toEqual([]);
});
