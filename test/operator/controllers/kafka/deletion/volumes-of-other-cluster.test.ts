import { afterEach, describe, expect, test } from 'vitest';
import type { KafkaClusterResource } from '../../../../../imports/index.js';
import { isOfOtherCluster } from '../../../../../operator/controllers/kafka/cluster/view.js';
import { PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { kafkaClusterIdAnnotation } from '../../../../../src/index.js';
import { closeAll } from '../../../runtime/given/oracle.js';
import { givenServing, givenVolumeOfOtherCluster, namesOf } from '../given-serving.js';

afterEach(closeAll);

const own = [0, 1, 2].map((id) => `events-broker-${id}`);
const all = [...own, ...[1_000, 1_001, 1_002].map((id) => `events-controller-${id}`)];

test.each([
  { id: 'a', clusterId: 'b', isOther: true },
  { id: 'a', clusterId: 'a', isOther: false },
  { id: undefined, clusterId: 'a', isOther: false },
  // An operator that ends between the creation of a volume and its status leaves no ID.
  { id: 'a', clusterId: undefined, isOther: false },
])('a volume of cluster $id is of another cluster than $clusterId: $isOther', ({ id, clusterId, isOther }) => {
  const metadata = {
    name: 'events-broker-0',
    ...(id !== undefined && { annotations: { [kafkaClusterIdAnnotation]: id } }),
  };
  const status = clusterId === undefined ? {} : { clusterId };
  expect(isOfOtherCluster({ metadata } as LiveObject, { status } as KafkaClusterResource)).toBe(isOther);
});

describe('a KafkaCluster with a volume of another cluster', () => {
  test.each([
    { deletionPolicy: 'Delete', left: ['events-broker-7'] },
    { deletionPolicy: 'Retain', left: [...all, 'events-broker-7'].toSorted() },
  ])('is deleted with $deletionPolicy, and the volume stays untouched', async ({ deletionPolicy, left }) => {
    const { operator, read, told, remove } = await givenServing({ deletionPolicy });
    const { clock, memory } = operator;
    const volume = await givenVolumeOfOtherCluster(memory, 'shop');
    await clock.advance(5_000);
    expect((await told('Accepted')).reason).toBe('VolumesOfOtherCluster');
    expect(await namesOf(memory, Pod, 'shop')).toEqual(all);
    await remove();
    await clock.advance(60_000);
    expect(await read()).toBeUndefined();
    expect(await namesOf(memory, Pod, 'shop')).toEqual([]);
    expect(await namesOf(memory, PersistentVolumeClaim, 'shop')).toEqual(left);
    expect(await memory.read(PersistentVolumeClaim, volume.metadata)).toEqual(volume);
  });

  test('that it owns itself is deleted, and keeps that volume with its cluster ID', async () => {
    const { operator, read, told, remove } = await givenServing({ deletionPolicy: 'Delete' });
    const { clock, memory } = operator;
    const name = 'events-broker-1';
    const claim = { name, namespace: 'shop', annotations: { [kafkaClusterIdAnnotation]: 'of-another-cluster' } };
    const changed = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim };
    await memory.apply(PersistentVolumeClaim, changed as Manifest, { manager: 'somebody' });
    await clock.advance(5_000);
    expect((await told('Accepted')).reason).toBe('VolumesOfOtherCluster');
    await remove();
    await clock.advance(60_000);
    expect(await read()).toBeUndefined();
    expect(await namesOf(memory, PersistentVolumeClaim, 'shop')).toEqual([name]);
    const { annotations } = (await memory.read(PersistentVolumeClaim, claim))?.metadata ?? {};
    expect(annotations?.[kafkaClusterIdAnnotation]).toBe('of-another-cluster');
  });

  test('stops its brokers before its controllers', async () => {
    const { operator, remove } = await givenServing({ deletionPolicy: 'Delete' });
    const { clock, memory } = operator;
    await givenVolumeOfOtherCluster(memory, 'shop');
    await clock.advance(5_000);
    await remove();
    await clock.advance(60_000);
    const deleted = operator.writes
      .filter((write) => write.startsWith('remove Pod '))
      .map((write) => write.split('/')[1]);
    expect(deleted.slice(0, 3).toSorted()).toEqual(own);
    expect(deleted).toHaveLength(6);
  });
});
