import { afterEach, describe, expect, test } from 'vitest';
import { type LivePersistentVolumeClaim, PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/index.js';
import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { closeAll } from '../../../runtime/given/oracle.js';
import { givenServing, namesOf } from '../given-serving.js';

afterEach(closeAll);

const brokers = [0, 1, 2].map((id) => `events-broker-${id}`);
const controllers = [1_000, 1_001, 1_002].map((id) => `events-controller-${id}`);

/** A new KafkaCluster of which only the volumes of the brokers are left. */
async function given() {
  const serving = await givenServing({});
  const { operator, brokers: model, apply, read, remove } = serving;
  const { clock, memory } = operator;
  const before = (await read()) as { readonly status?: { readonly clusterId?: string } } | undefined;
  await remove();
  await clock.advance(60_000);
  const lost = await Promise.all(
    controllers.map((name) => memory.read(PersistentVolumeClaim, { name, namespace: 'shop' })),
  );
  const forget = async (...names: readonly string[]) => {
    for (const name of names) {
      const claim = await memory.read(PersistentVolumeClaim, { name, namespace: 'shop' });
      await memory.remove(PersistentVolumeClaim, { name, namespace: 'shop' }, { uid: claim?.metadata.uid ?? '' });
    }
  };
  await forget(...controllers);
  model.silence = 'nobody answers';
  await apply({});
  await clock.advance(20_000);
  return { ...serving, lost, forget, clusterId: before?.status?.clusterId ?? 'none' };
}

describe('a new KafkaCluster of which only the volumes of brokers are left', () => {
  test('starts nothing, and reports the cluster that was found', async () => {
    const { operator, told, clusterId } = await given();
    expect(await namesOf(operator.memory, Pod, 'shop')).toEqual([]);
    expect(await namesOf(operator.memory, PersistentVolumeClaim, 'shop')).toEqual(brokers);
    const { reason, message } = await told('Provisioned');
    expect(reason).toBe('ControllersMissing');
    expect(message).toContain(`of a controller of the Kafka cluster ${clusterId} is left`);
    expect((await told('UpToDate')).reason).toBe('RolloutStalled');
  });

  test('begins anew when these volumes are deleted', async () => {
    const { operator, told, forget, read, clusterId } = await given();
    await forget(...brokers);
    await operator.clock.advance(20_000);
    expect(await namesOf(operator.memory, Pod, 'shop')).toEqual([...brokers, ...controllers]);
    expect((await told('Provisioned')).reason).not.toBe('ControllersMissing');
    const pods = await operator.memory.list(Pod, { namespace: 'shop' });
    expect(JSON.stringify(pods.items)).toContain('KAFKA_INITIAL_CONTROLLERS');
    expect(JSON.stringify(await read())).not.toContain(clusterId);
  });

  test('starts all nodes when the volumes of the controllers are back', async () => {
    const { operator, read, lost, clusterId } = await given();
    const restored = lost.flatMap((claim) => (claim ? [claim] : []));
    expect(restored).toHaveLength(3);
    for (const { metadata, spec } of restored as readonly LivePersistentVolumeClaim[]) {
      const { name, namespace, labels, annotations } = metadata;
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace, labels, annotations },
        spec,
      };
      await operator.memory.apply(PersistentVolumeClaim, claim as unknown as Manifest, { manager: 'somebody' });
    }
    await operator.clock.advance(20_000);
    const { items } = await operator.memory.list(Pod, { namespace: 'shop' });
    expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual([...brokers, ...controllers]);
    expect(JSON.stringify(items)).not.toContain('KAFKA_INITIAL_CONTROLLERS');
    expect(await read()).toMatchObject({ status: { clusterId, bootstrapped: true } });
  });
});
