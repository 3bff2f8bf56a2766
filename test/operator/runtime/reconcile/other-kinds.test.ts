import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Namespace } from '../../../../operator/runtime/kubernetes/kinds.js';
import { keep } from '../../../../operator/runtime/rendering/keep.js';
import { annotation, givenNamespaces, label, namespace } from '../given/namespaces.js';
import { closeAll } from '../given/oracle.js';

afterEach(closeAll);

const ready = ['Accepted=True Valid', 'Named=True Answers', 'Ready=True Ready'];
const one = '{"name":"shop","address":"1"}';
const two = '{"name":"shop","address":"2"}';
const none = '{"name":"shop"}';

describe('a controller of a kind whose status belongs to others', () => {
  test('R24 R36 reports in an annotation and in events, and writes no status', async () => {
    const { given, apply, find, told, requests, events } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(600_000);
    expect(requests()).toEqual([one]);
    expect(await told()).toEqual(ready);
    expect((await find())?.['status']).toBeUndefined();
    expect((await find())?.metadata.finalizers).toEqual(['reconstruct.dev/namespace']);
    expect(given.writes.filter((write) => write.includes('/status'))).toEqual([]);
    expect(await events()).toContainEqual(`ExternalCallSent: Call address of dns ${one} was answered`);
  });

  test('R17 writes the annotation once for each change, and nothing at rest', async () => {
    const { given, apply } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    const changes = given.writes.filter((write) => write === 'apply Namespace shop').length;
    expect(changes).toBeLessThanOrEqual(4); // the finalizer, and three states
    given.memory.forgetWrites();
    await given.clock.advance(3_600_000);
    expect(given.writes).toEqual([]);
  });

  test('R17 reconciles no resource that it does not select, and adds no finalizer to it', async () => {
    const { given, apply, find } = await givenNamespaces();
    await apply({ other: '1' });
    await given.clock.advance(600_000);
    expect(given.looks).toBe(0);
    expect((await find())?.metadata.finalizers).toBeUndefined();
  });

  test('R36 sends a call for an edited label, although the kind has no generation', async () => {
    const { given, apply, requests, find } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await apply({ [label]: '2' });
    await given.clock.advance(60_000);
    expect((await find())?.metadata['generation' as never]).toBeUndefined();
    expect(requests()).toEqual([one, two]);
    expect(await given.memory.read(ConfigMap, { namespace: 'shop', name: 'name' })).toMatchObject({
      data: { address: '2' },
    });
  });

  test('R39 leaves nothing of a resource that is no longer selected: outside, objects, finalizer, annotation', async () => {
    const { given, apply, requests, find, service } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await apply({});
    await given.clock.advance(60_000);
    expect(requests()).toEqual([one, none]);
    expect(service.state).toEqual({});
    expect(await given.memory.read(ConfigMap, { namespace: 'shop', name: 'name' })).toBeUndefined();
    expect((await find())?.metadata.finalizers ?? []).toEqual([]);
    expect((await find())?.metadata.annotations?.[annotation]).toBeUndefined();
    given.memory.forgetWrites();
    const { looks } = given;
    await given.clock.advance(3_600_000);
    expect([given.writes, given.looks - looks]).toEqual([[], 0]);
  });

  test('R39 keeps the finalizer of a resource that is no longer selected while the service does not answer', async () => {
    const { given, apply, find, service } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    service.silence = 'the service is away';
    await given.clock.advance(120_000);
    await apply({});
    await given.clock.advance(600_000);
    expect((await find())?.metadata.finalizers).toEqual(['reconstruct.dev/namespace']);
    service.silence = undefined;
    await given.clock.advance(600_000);
    expect((await find())?.metadata.finalizers ?? []).toEqual([]);
    expect(service.state).toEqual({});
  });

  test('R39 keeps the finalizer of a resource that is no longer selected while its controller keeps everything', async () => {
    let isKnown = false;
    const { given, apply, find } = await givenNamespaces({
      desire: (scope, { resource: { metadata } }) => {
        if (metadata.labels?.[label] === undefined && !isKnown) keep(scope);
      },
      assess: () => ({ conditions: { Named: { reason: 'Answers' } } }),
    });
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await apply({});
    await given.clock.advance(600_000);
    expect((await find())?.metadata.finalizers).toEqual(['reconstruct.dev/namespace']);
    isKnown = true;
    await apply({ other: '1' });
    await given.clock.advance(60_000);
    expect((await find())?.metadata.finalizers ?? []).toEqual([]);
  });

  test('R39 keeps what a resource has that is selected again', async () => {
    const { given, apply, find, service, told } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await apply({});
    await given.clock.advance(60_000);
    await apply({ [label]: '2' });
    await given.clock.advance(60_000);
    expect((await find())?.metadata.finalizers).toEqual(['reconstruct.dev/namespace']);
    expect(service.state).toEqual({ shop: '2' });
    expect(await told()).toEqual(ready);
  });

  test('R39 removes what is outside before a deleted resource is gone', async () => {
    const { given, apply, remove, find, requests } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await remove();
    await given.clock.advance(60_000);
    expect(requests()).toEqual([one, none]);
    expect(await find()).toBeUndefined();
  });

  test('R27 reports a rejection and leaves its objects as they are', async () => {
    const { given, apply, told, events } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await apply({ [label]: 'none' });
    await given.clock.advance(60_000);
    expect(await told()).toContain('Accepted=False NoAddress');
    expect(await events()).toContainEqual(expect.stringContaining('NoAddress: labels: Invalid value: "none"'));
    expect(await given.memory.read(ConfigMap, { namespace: 'shop', name: 'name' })).toMatchObject({
      data: { address: '1' },
    });
  });

  test.each<{ reportsTo: 'events' | 'annotation'; counts: number }>([
    { reportsTo: 'events', counts: 1 },
    { reportsTo: 'annotation', counts: 0 },
  ])(
    'R24 records $counts events for a condition that is False at first, with reportsTo $reportsTo',
    async ({ reportsTo, counts }) => {
      const assess = () => ({ conditions: { Named: { reason: 'Refused', message: 'no such zone' } } });
      const { given, apply, events, find } = await givenNamespaces({ reportsTo, assess });
      await apply({ [label]: '1' });
      await given.clock.advance(3_600_000);
      expect((await events()).filter((event) => event.startsWith('Refused: no such zone'))).toHaveLength(counts);
      expect((await find())?.metadata.annotations?.[annotation] === undefined).toBe(reportsTo === 'events');
    },
  );

  test('takes no condition of the status of others for its own', async () => {
    const { given, apply, told } = await givenNamespaces();
    await apply({ [label]: '1' });
    const conditions = [{ type: 'Named', status: 'False', reason: 'Foreign' }];
    const status = { ...namespace({}), status: { conditions, externalCalls: [{ name: 'address', hash: 'x' }] } };
    await given.memory.apply(Namespace, status as never, { manager: 'kubernetes', subresource: 'status' });
    await given.clock.advance(60_000);
    expect(await told()).toEqual(ready);
  });

  test('replaces an annotation that others wrote', async () => {
    const { given, apply, told } = await givenNamespaces();
    await apply({ [label]: '1' });
    await given.clock.advance(60_000);
    await given.given(Namespace, namespace({ [label]: '1' }, { annotations: { [annotation]: '[{"type":"Odd"}, 3' } }));
    await given.clock.advance(60_000);
    expect(await told()).toEqual(ready);
  });
});
