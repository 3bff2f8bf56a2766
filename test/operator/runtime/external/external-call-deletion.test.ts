import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { MemoryCluster, MemoryPort } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { bound } from '../given/house.js';
import { closeAll } from '../given/oracle.js';
import { finalizer, givenRecords, kind, none, one, web } from '../given/record-operator.js';
import { dns, nameService } from '../given/records.js';
import { conditionOf } from '../given/widgets.js';

afterEach(closeAll);

describe('a resource that is deleted', () => {
  test('R39 keeps its finalizer until its calls have cleaned up and an answer shows it', async () => {
    const { given, service, apply, find, remove, requests } = await givenRecords();
    await apply({ address: '1', map: true });
    await given.clock.advance(5_000);
    service.fate = () => ({ isHidden: true });
    await remove();
    await given.clock.advance(10_000);
    expect(requests()).toEqual([one, none]);
    expect((await find())?.metadata.finalizers).toEqual([finalizer]);
    service.show();
    await given.clock.advance(30_000);
    expect(await find()).toBeUndefined();
    expect(service.state).toEqual({});
    expect(await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-map' })).toBeUndefined();
  });

  test('R39 waits for the effect of a call whose answer was lost before the deletion', async () => {
    const { given, service, apply, find, remove, requests } = await givenRecords();
    service.fate = () => ({ isUnanswered: true, isHidden: true });
    await apply({ address: '1' });
    await given.clock.advance(1_000);
    expect(requests()).toEqual([one]);
    service.fate = () => ({});
    await remove();
    await given.clock.advance(10_000);
    expect(await find()).toBeDefined();
    service.show();
    await given.clock.advance(120_000);
    expect(await find()).toBeUndefined();
    expect(service.state).toEqual({});
  });

  const refused = new CallError('terminal', 'never');
  test.each([{ isUnaskedWhenDeleted: false }, { isUnaskedWhenDeleted: true }])(
    'R39 waits for no effect of a call that was refused, whether nobody asks any more ($isUnaskedWhenDeleted) or somebody does',
    async (asked) => {
      const { given, service, apply, find, remove, requests } = await givenRecords(asked);
      service.fate = () => ({ error: refused });
      await apply({ address: '1' });
      await given.clock.advance(5_000);
      expect(requests()).toEqual([]);
      await remove();
      await given.clock.advance(1_000);
      expect(await find()).toBeUndefined();
    },
  );

  test('R39 waits for a lost call only until its effect had to show, though nobody asks any more, and says so', async () => {
    const { given, service, apply, find, remove } = await givenRecords({ isUnaskedWhenDeleted: true });
    service.fate = () => ({ isLost: true });
    await apply({ address: '1' });
    await given.clock.advance(2_000);
    await remove();
    await given.clock.advance(20_000);
    const told = conditionOf(await find(), 'Ready')?.['message'];
    expect(told).toMatch(
      /^Deletion is in progress, waiting for the effect of call address, which ended at \S+Z without a known result \(dns did not answer\) and shows by \S+Z if it has one; to release it without the rest of its cleanup, annotate it with reconstruct.dev.release=/,
    );
    await given.clock.advance(1_000);
    expect(conditionOf(await find(), 'Ready')?.['message']).toBe(told);
    await given.clock.advance(10_000);
    expect(await find()).toBeUndefined();
  });

  test('R39 is gone at once after a restart if nobody asks any more, though an earlier process lost a call', async () => {
    const first = await givenRecords({ isUnaskedWhenDeleted: true });
    first.service.fate = () => ({ isLost: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(2_000);
    await first.remove();
    await first.given.clock.advance(1_000);
    expect(await first.find()).toBeDefined();
    await first.given.close();
    const { service, given } = first;
    const next = await givenRecords({ isUnaskedWhenDeleted: true, service, memory: given.memory });
    await next.given.clock.advance(2_000);
    expect(await next.find()).toBeUndefined();
  });

  const quick = new MemoryPort({ ...nameService, port: { ...dns, name: 'quick', visibleWithin: 0 } });
  const showsLate = { call: { visibleWithin: 60_000 } };
  test.each<{ calls: string; options: Parameters<typeof givenRecords>[0] }>([
    { calls: 'that service alone', options: showsLate },
    { calls: 'a quick service too', options: { ...showsLate, other: quick } },
    { calls: 'it irreversibly', options: { call: { ...showsLate.call, irreversible: true } } },
  ])(
    'R39 stays after a restart until a call to a slow service had to show, if it calls $calls',
    async ({ options }) => {
      const first = await givenRecords(options);
      first.service.fate = () => ({ isHidden: true });
      await first.apply({ address: '1' });
      await first.given.clock.advance(1_500);
      expect(first.requests()).toEqual([one]);
      await first.given.close();
      const { service, given } = first;
      service.fate = () => ({});
      await first.remove();
      const next = await givenRecords({ ...options, service, memory: given.memory });
      await next.given.clock.advance(43_500);
      service.show();
      await next.given.clock.advance(120_000);
      expect(await next.find()).toBeUndefined();
      expect(service.state).toEqual({});
      expect(next.requests()).toEqual([one, none]);
    },
  );

  test('R39 stays after a restart for the intent of a call to a slow service, though nobody asks any more', async () => {
    const options = { call: { visibleWithin: 60_000, irreversible: true }, isUnaskedWhenDeleted: true };
    const first = await givenRecords(options);
    first.service.fate = () => ({ isLost: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_500);
    await first.given.close();
    await first.remove();
    const next = await givenRecords({ ...options, service: first.service, memory: first.given.memory });
    await next.given.clock.advance(55_000);
    expect(await next.find()).toBeDefined();
    await next.given.clock.advance(10_000);
    expect(await next.find()).toBeUndefined();
  });

  test('R39 names a call without effect, with how often it was sent', async () => {
    const { given, service, apply, find, remove } = await givenRecords();
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.fate = () => ({ isHidden: true });
    await remove();
    await given.clock.advance(29_000);
    const told = async () => conditionOf(await find(), 'Ready')?.['message'];
    expect(await told()).toMatch(/waiting for call address, whose effect does not show yet; to release it/);
    await given.clock.advance(70_000);
    expect(await told()).toMatch(
      /waiting for call address, sent 3 times since 2030-01-01T00:00:0\dZ, without effect; to release it/,
    );
  });

  test('R39 stays while the service is away, tells since when, and is released by its annotation', async () => {
    const { given, service, apply, find, remove } = await givenRecords();
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.silence = 'no route to the service';
    await remove();
    await given.clock.advance(2_000_000);
    const resource = await find();
    expect(conditionOf(resource, 'Ready')?.['message']).toMatch(
      /found, which has not been known since 2030-01-01T00:0.*: no route to the service; to release it/,
    );
    expect(conditionOf(resource, 'DeletionBlocked')?.['status']).toBe('True');
    const release = { 'reconstruct.dev/release': resource?.metadata.uid };
    await given.memory.patch(kind, web, [{ op: 'add', path: '/metadata/annotations', value: release }], {
      manager: 'somebody',
    });
    await given.clock.advance(1_000);
    expect(await find()).toBeUndefined();
  });

  test('R39 is released at its deadline if its controller says so', async () => {
    const { given, service, apply, find, remove } = await givenRecords({
      finalizes: { deadline: 60_000, onDeadline: 'release' },
    });
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.silence = 'no route to the service';
    await remove();
    await given.clock.advance(59_000);
    expect(await find()).toBeDefined();
    await given.clock.advance(40_000);
    expect(await find()).toBeUndefined();
  });

  test('R36 R39 gets no call from a leader whose caches still show it as it was', async () => {
    const first = await givenRecords();
    await first.apply({ address: '1' });
    await first.given.clock.advance(5_000);
    await first.given.close();
    const { service } = first;
    service.meddle({});
    const before = service.performed.length;
    // The watch of the next leader lists, and then hears of nothing.
    const stale = new MemoryCluster({ now: () => 0 });
    const { items } = await first.given.memory.list(kind, {});
    for (const item of items) await stale.create(kind, item, { manager: 'somebody' });
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      list: bound(stale).list,
      watch: bound(stale).watch,
    });
    await first.given.memory.patch(kind, web, [{ op: 'remove', path: '/metadata/finalizers' }], {
      manager: 'somebody',
    });
    const live = await first.find();
    await first.given.memory.remove(kind, web, { uid: (live as Loose).metadata.uid });
    const next = await givenRecords({ service, memory: first.given.memory, faults });
    await next.given.clock.advance(300_000);
    expect(service.performed.slice(before)).toEqual([]);
  });
});
