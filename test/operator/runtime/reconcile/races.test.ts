import { afterEach, describe, expect, it, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { conditionOf, type WidgetSpec } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const name = { namespace: 'team', name: 'web-a' };

/** Somebody edits the object. */
const edited = (cluster: Cluster) =>
  cluster.patch(ConfigMap, name, [{ op: 'add', path: '/data/theirs', value: '1' }], somebody);

/** Somebody deletes the object and makes another of its name. */
async function replaced(cluster: Cluster): Promise<void> {
  const { uid } = (await cluster.read(ConfigMap, name))?.metadata ?? { uid: '' };
  await cluster.remove(ConfigMap, name, { uid });
  await cluster.create(ConfigMap, configMap('web-a', { data: { theirs: '1' } }), somebody);
}

/** An act of another client right before one call of a reconcile. */
type Race = {
  readonly before: 'apply' | 'patch' | 'read' | 'remove';
  readonly does: (cluster: Cluster) => Promise<unknown>;
};

function raced({ before, does }: Race) {
  const race = { isOn: false };
  const first = async (cluster: Cluster, method: Race['before']) => {
    if (race.isOn && method === before) await does(cluster);
  };
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (...args) => first(cluster, 'apply').then(() => cluster.apply(...args)),
    patch: async (...args) => first(cluster, 'patch').then(() => cluster.patch(...args)),
    read: async (...args) => first(cluster, 'read').then(() => cluster.read(...args)),
    remove: async (...args) => first(cluster, 'remove').then(() => cluster.remove(...args)),
  });
  return { race, faults };
}

describe('an object that changes after it was observed', () => {
  it.each([
    { when: 'edits what is to be pruned', before: 'remove', does: edited, spec: { maps: {} } },
    { when: 'replaces what is to be pruned', before: 'remove', does: replaced, spec: { maps: {} } },
    { when: 'replaces what is to be applied', before: 'apply', does: replaced, spec: { maps: { a: { size: '2' } } } },
    {
      when: 'replaces what is to be handed over',
      before: 'read',
      does: replaced,
      spec: { maps: { a: { other: '1' } } },
    },
    { when: 'edits what is to be handed over', before: 'patch', does: edited, spec: { maps: { a: { other: '1' } } } },
  ] as (Race & { when: string; spec: WidgetSpec })[])(
    'R22 is left as they made it, and looked at again: somebody $when',
    async ({ spec, before, does }) => {
      const { race, faults } = raced({ before, does });
      house = new GivenHouse({ faults });
      await house.givenWidget({ maps: { a: { size: '1' } } });
      await house.pass();
      await house.givenWidget(spec);
      race.isOn = true;
      await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
      expect(house.writes.some((write) => write.startsWith('patch'))).toBe(does === edited);
      const object = await house.read(ConfigMap, 'web-a');
      expect(object).toMatchObject({ data: { theirs: '1' } });
      const { managedFields } = object.metadata as { managedFields?: { manager: string }[] };
      const managers = new Set(managedFields?.map(({ manager }) => manager));
      expect([...managers].sort()).toEqual(does === edited ? ['reconstruct-widget', 'somebody'] : ['somebody']);
    },
  );
});

test('R22 what took the name before it was handed over, and states nothing, is looked at again and refuses nothing', async () => {
  const { apiVersion, kind } = configMap('web-a');
  const bare = async (cluster: Cluster) => {
    const { uid } = (await cluster.read(ConfigMap, name))?.metadata ?? { uid: '' };
    await cluster.remove(ConfigMap, name, { uid });
    await cluster.create(ConfigMap, { apiVersion, kind, metadata: name }, somebody);
  };
  const { race, faults } = raced({ before: 'patch', does: bare });
  house = new GivenHouse({ faults });
  await house.givenWidget({ maps: { a: { size: '1' } } });
  await house.pass();
  await house.givenWidget({ maps: { a: { other: '1' } } });
  race.isOn = true;
  await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
});

test('R22 what lost its label before it was handed over, and then its name, is not waited for: the other is named', async () => {
  let isOn = false;
  const races: Record<string, (cluster: Cluster) => Promise<unknown>> = {
    read: (cluster) => cluster.patch(ConfigMap, name, [{ op: 'remove', path: '/metadata/labels' }], somebody),
    apply: replaced,
  };
  const race = async (cluster: Cluster, method: string) => {
    const does = isOn ? races[method] : undefined;
    delete races[isOn ? method : ''];
    await does?.(cluster);
  };
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    read: async (...args) => race(cluster, 'read').then(() => cluster.read(...args)),
    apply: async (...args) => race(cluster, 'apply').then(() => cluster.apply(...args)),
  });
  house = new GivenHouse({ faults });
  await house.givenWidget({ maps: { a: { size: '1' } } });
  await house.pass();
  await house.givenWidget({ maps: { a: { other: '1' } } });
  isOn = true;
  for (const _ of ['before it is read', 'before it is written'])
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  await house.pass();
  expect(conditionOf(await house.widget(), 'Conflicted')).toMatchObject({ status: 'True' });
});

test('R23 a name that was taken, and is free by the time one asks by whom, is looked at again', async () => {
  const taken = configMap('web-a');
  const { race, faults } = raced({
    before: 'read',
    does: async (cluster) => {
      race.isOn = false;
      const { uid } = (await cluster.read(ConfigMap, name))?.metadata ?? { uid: '' };
      await cluster.remove(ConfigMap, name, { uid });
    },
  });
  house = new GivenHouse({ faults });
  await house.memory.create(ConfigMap, taken, somebody);
  await house.givenWidget({ maps: { a: { size: '1' } } });
  race.isOn = true;
  await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  await house.pass();
  expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '1' } });
});
