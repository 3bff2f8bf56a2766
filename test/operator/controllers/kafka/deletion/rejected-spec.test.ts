import { afterEach, expect, test } from 'vitest';
import { PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { closeAll } from '../../../runtime/given/oracle.js';
import { givenServing, namesOf } from '../given-serving.js';

afterEach(closeAll);

test('a KafkaCluster whose size is smaller than that of its volumes is deleted, brokers before controllers', async () => {
  const deletionPolicy = 'Delete';
  const { operator, apply, read, told, remove } = await givenServing({ deletionPolicy });
  const { clock, memory } = operator;
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
  for (const name of await namesOf(memory, PersistentVolumeClaim, 'shop')) {
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'shop' }, status };
    await memory.apply(PersistentVolumeClaim, claim as Manifest, { manager: 'storage', subresource: 'status' });
  }
  await apply({ deletionPolicy, brokers: { storage: { size: '512Mi' } } });
  await clock.advance(10_000);
  expect((await told('Accepted')).reason).toBe('VolumeCannotShrink');
  await remove();
  await clock.advance(60_000);
  expect(await read()).toBeUndefined();
  for (const kind of [Pod, PersistentVolumeClaim]) expect(await namesOf(memory, kind, 'shop')).toEqual([]);
  const deleted = operator.writes.filter((write) => write.startsWith('remove Pod '));
  expect(deleted.slice(0, 3).every((write) => write.includes('/events-broker-'))).toBe(true);
  expect(deleted).toHaveLength(6);
});
