import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../../operator/runtime/kubernetes/errors.js';
import { Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../../operator/runtime/ports/cluster.js';
import { bound } from '../../../runtime/given/house.js';
import { closeAll } from '../../../runtime/given/oracle.js';
import { givenReadyPods, givenServing, namesOf } from '../given-serving.js';

afterEach(closeAll);

const quota = 'persistentvolumeclaims is forbidden: exceeded quota: team';
const six = [0, 1, 2, 1_000, 1_001, 1_002].map((id) => `events-${id < 1_000 ? 'broker' : 'controller'}-${id}`);

/** The UIDs of the Pods, by their names. */
async function uidsIn(cluster: Cluster): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = await cluster.list(Pod, { namespace: 'shop' });
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

/** A KafkaCluster whose brokers change, and of which a quota refuses a volume. */
async function given(refused: string, change: object) {
  const limit = { isFull: true };
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (kind, object, options) => {
      if (limit.isFull && object.metadata.name === refused && kind.kind === 'PersistentVolumeClaim')
        throw new ApiError(quota, { code: 403, reason: 'Forbidden' });
      return cluster.create(kind, object, options);
    },
  });
  const serving = await givenServing({}, { faults });
  const before = await uidsIn(serving.operator.memory);
  await serving.apply({ brokers: { storage: { size: '1Gi' }, ...change } });
  await serving.operator.clock.advance(5_000);
  return { ...serving, limit, before };
}

describe('a KafkaCluster of which a quota refuses the volume of a new broker', () => {
  test('creates the Pods of all others again', async () => {
    const { operator, told } = await given('events-broker-3', { replicas: 4 });
    const { clock, memory } = operator;
    expect((await told('Ready')).message).toContain(quota);
    expect(await namesOf(memory, Pod, 'shop')).toEqual(six);
    const pod = { name: 'events-broker-1', namespace: 'shop' };
    const { uid = '' } = (await memory.read(Pod, pod))?.metadata ?? {};
    await memory.remove(Pod, pod, { uid });
    await clock.advance(5_000);
    expect(await namesOf(memory, Pod, 'shop')).toEqual(six);
  });

  test('creates the Pod of the new broker when its volume is there', async () => {
    const { operator, limit } = await given('events-broker-3', { replicas: 4 });
    const { clock, memory } = operator;
    limit.isFull = false;
    await clock.advance(65_000);
    expect(await namesOf(memory, Pod, 'shop')).toEqual([...six, 'events-broker-3'].toSorted());
  });
});

describe('a KafkaCluster of which a quota refuses a further volume', () => {
  const storage = { size: '1Gi', additionalVolumes: [{ name: 'fast', size: '1Gi' }] };

  test('of a new broker creates its Pod later', async () => {
    const { operator, limit } = await given('events-broker-3-fast', { replicas: 4, storage });
    await operator.clock.advance(60_000);
    expect(await namesOf(operator.memory, Pod, 'shop')).toEqual(six);
    limit.isFull = false;
    await operator.clock.advance(65_000);
    expect(await namesOf(operator.memory, Pod, 'shop')).toEqual([...six, 'events-broker-3'].toSorted());
  });

  test('stops no broker for it', async () => {
    const { operator, told, before } = await given('events-broker-0-fast', { storage });
    await operator.clock.advance(120_000);
    expect((await told('Ready')).message).toContain(quota);
    expect((await told('UpToDate')).message).toContain(
      'PersistentVolumeClaim events-broker-0-fast, which does not exist',
    );
    expect(await uidsIn(operator.memory)).toEqual(before);
  });

  test('creates the Pods of all others again, and restarts the broker when the volume is there', async () => {
    const { operator, limit, before } = await given('events-broker-0-fast', { storage });
    const { clock, memory } = operator;
    const pod = { name: 'events-broker-1', namespace: 'shop' };
    const { uid = '' } = (await memory.read(Pod, pod))?.metadata ?? {};
    await memory.remove(Pod, pod, { uid });
    await clock.advance(5_000);
    expect(await namesOf(memory, Pod, 'shop')).toEqual(six);
    await givenReadyPods(memory, 'shop', new Date(clock.now()));
    limit.isFull = false;
    await clock.advance(120_000);
    expect((await uidsIn(memory))['events-broker-0']).not.toBe(before['events-broker-0']);
    expect(await namesOf(memory, Pod, 'shop')).toEqual(six);
  });
});
