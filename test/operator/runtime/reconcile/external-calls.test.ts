import { afterEach, describe, expect, test } from 'vitest';
import type { Controller, Finalization } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import type { ExternalCallProps } from '../../../../operator/runtime/rendering/external-call.js';
import type { CallFate, MemoryPort } from '../../../../operator/testing/contract/memory-port.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { closeAll, runs } from '../given/oracle.js';
import { givenNameService, type RecordSpec, record, recordController, recordKind } from '../given/records.js';
import { conditionOf } from '../given/widgets.js';

afterEach(closeAll);

const kind = recordKind as ObjectKind;
const web = { namespace: 'team', name: 'web' };
const finalizer = 'reconstruct.dev/namerecord';

interface Options {
  readonly call?: Partial<ExternalCallProps<{ readonly name: string; readonly address?: string }>>;
  readonly finalizes?: boolean | Finalization;
  readonly service?: MemoryPort;
  readonly memory?: MemoryCluster;
  readonly faults?: (cluster: Cluster) => Cluster;
}

/** An operator of records, and the name service. */
async function givenRecords({ call, finalizes, service = givenNameService(), memory, faults }: Options = {}) {
  const controllers: readonly Controller[] = [recordController(call, finalizes)];
  const options = { controllers, ports: [service.provided], ...(faults && { faults }) };
  const given = runs(new GivenOperator(options, memory));
  await given.start();
  const find = async () => (await given.memory.read(kind, web)) as Loose | undefined;
  return {
    given,
    service,
    find,
    apply: (spec: RecordSpec) => given.given(kind, record('web', spec)),
    remove: async () => {
      const { metadata } = (await find()) as Loose;
      await given.memory.remove(kind, web, { uid: metadata.uid });
    },
    told: async () => conditionOf(await find(), 'Published')?.['message'] as string | undefined,
    events: async () => {
      const { items } = await given.memory.list(Event, {});
      return items.map((event) => `${(event as Loose)['reason']}: ${(event as Loose)['note']}`);
    },
    /** The requests that reached the service. */
    requests: () => service.performed.map(({ request }) => JSON.stringify(request)),
  };
}

const one = '{"name":"web","address":"1"}';
const two = '{"name":"web","address":"2"}';
const none = '{"name":"web"}';

describe('a call', () => {
  test('R36 is sent once for a change, after the objects and the finalizer, and told in the status', async () => {
    const { given, service, apply, find, told, requests, events } = await givenRecords();
    const seen: string[] = [];
    service.fate = () => {
      seen.push(...given.writes);
      return {};
    };
    await apply({ address: '1', map: true });
    await given.clock.advance(600_000);
    expect(requests()).toEqual([one]);
    expect(seen).toEqual(expect.arrayContaining(['create ConfigMap team/web-map', 'apply NameRecord team/web']));
    expect((await find())?.metadata.finalizers).toEqual([finalizer]);
    expect(await told()).toBe('none');
    expect(await events()).toContain(`ExternalCallSent: Call address of dns ${one} was answered`);
  });

  test('R36 R17 costs nothing at rest: no write and no further call', async () => {
    const { given, apply, requests } = await givenRecords();
    await apply({ address: '1', map: true });
    await given.clock.advance(60_000);
    given.memory.forgetWrites();
    await given.clock.advance(3_600_000);
    expect(given.writes).toEqual([]);
    expect(requests()).toEqual([one]);
  });

  const later = new CallError('retryable', 'too many requests', { retryAfter: 5_000, mayHaveEffect: false });
  test.each<{ when: string; fates: readonly CallFate[]; after: number; reached: number; told: string }>([
    { when: 'it is answered', fates: [], after: 5_000, reached: 1, told: 'none' },
    { when: 'its answer is lost', fates: [{ isUnanswered: true }], after: 120_000, reached: 1, told: 'none' },
    {
      when: 'it fails after its effect',
      fates: [{ isUnanswered: true, error: new CallError('retryable', 'error 500') }],
      after: 120_000,
      reached: 1,
      told: 'none',
    },
    {
      when: 'it is lost, before the effect had to show',
      fates: [{ isLost: true }],
      after: 29_000,
      reached: 0,
      told: 'unreachable: dns did not answer',
    },
    {
      when: 'it is lost, after the effect had to show',
      fates: [{ isLost: true }],
      after: 31_000,
      reached: 1,
      told: 'none',
    },
    { when: 'its effect does not show yet', fates: [{ isHidden: true }], after: 29_000, reached: 1, told: 'sent' },
    { when: 'its effect never shows', fates: [{ isHidden: true }], after: 31_000, reached: 2, told: 'none' },
    {
      when: 'the server asks for 5 s and 4 s pass',
      fates: [{ error: later }],
      after: 4_000,
      reached: 0,
      told: 'retryable: too many requests',
    },
    { when: 'the server asks for 5 s and 6 s pass', fates: [{ error: later }], after: 6_000, reached: 1, told: 'none' },
    {
      when: 'the server refuses it for good',
      fates: Array.from({ length: 9 }, () => ({ error: new CallError('terminal', 'no such zone') })),
      after: 3_600_000,
      reached: 0,
      told: 'terminal: no such zone',
    },
  ])(
    'R36 R37 reaches the server $reached times and is told as "$told" when $when',
    async ({ fates, after, reached, told: expected }) => {
      const { given, service, apply, told, requests } = await givenRecords();
      const coming = [...fates];
      service.fate = () => coming.shift() ?? {};
      await apply({ address: '1' });
      await given.clock.advance(after);
      expect(requests()).toHaveLength(reached);
      expect(await told()).toBe(expected);
    },
  );

  test('R38 that a server refused for good is sent again after an edit, and after another answer', async () => {
    const { given, service, apply } = await givenRecords();
    let tries = 0;
    service.fate = () => {
      tries++;
      return { error: new CallError('terminal', 'no such zone') };
    };
    await apply({ address: '1' });
    await given.clock.advance(600_000);
    expect(tries).toBe(1);
    await apply({ address: '2' });
    await given.clock.advance(600_000);
    expect(tries).toBe(2);
    service.meddle({ web: '3' });
    await given.clock.advance(600_000);
    expect(tries).toBe(3);
  });

  test('R36 is not sent while the answer is unknown', async () => {
    const { given, service, apply, told, requests } = await givenRecords();
    service.silence = 'the service is away';
    await apply({ address: '1' });
    await given.clock.advance(600_000);
    expect(requests()).toEqual([]);
    expect(await told()).toBe('the service is away');
    service.silence = undefined;
    await given.clock.advance(600_000);
    expect(requests()).toEqual([one]);
  });

  test('R36 is rendered from answers that were asked for after the last call, whatever wakes the resource', async () => {
    const { given, service, apply, requests } = await givenRecords();
    service.fate = () => {
      service.silence = 'restarting'; // the old answer stays the newest that is known until the poll fails
      return {};
    };
    await apply({ address: '1' });
    for (let edit = 0; edit < 20; edit++) {
      await given.memory.patch(kind, web, [{ op: 'add', path: '/metadata/labels', value: { edit: String(edit) } }], {
        manager: 'somebody',
      });
      await given.clock.advance(500);
    }
    expect(requests()).toEqual([one]);
  });

  test('R36 heals what others changed, once for each change', async () => {
    const { given, service, apply, requests } = await givenRecords();
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.meddle({ web: '9' });
    await given.clock.advance(120_000);
    expect(requests()).toEqual([one, one]);
    expect(service.state).toEqual({ web: '1' });
  });

  test('R36 of an edited spec waits for the end of the one before', async () => {
    const { given, service, apply, requests } = await givenRecords();
    await apply({ address: '1' });
    await apply({ address: '2' });
    await given.clock.advance(120_000);
    expect(service.state).toEqual({ web: '2' });
    expect(requests().at(-1)).toBe(two);
    expect(new Set(requests()).size).toBe(requests().length);
  });
});

test('R36 a call is sent only if the API server has the resource as it was observed', async () => {
  let isEdited = true;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    read: async (of, ...rest) => {
      const live = await cluster.read(of, ...rest);
      if (!live || of.kind !== kind.kind || !isEdited) return live;
      return { ...live, metadata: { ...live.metadata, generation: 99 } };
    },
  });
  const { given, apply, requests } = await givenRecords({ faults });
  await apply({ address: '1' });
  await given.clock.advance(120_000);
  expect(requests()).toEqual([]);
  isEdited = false;
  await given.clock.advance(120_000);
  expect(requests()).toEqual([one]);
});

describe('after a restart', () => {
  test('R37 a call whose result the dead process did not learn is observed first, and not sent again', async () => {
    const first = await givenRecords();
    first.service.fate = () => ({ isHidden: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    expect(first.requests()).toEqual([one]);
    const { service } = first;
    service.fate = () => ({});
    const next = await givenRecords({ service, memory: first.given.memory });
    await next.given.clock.advance(20_000);
    service.show();
    await next.given.clock.advance(600_000);
    expect(next.requests()).toEqual([one]);
  });

  test('R37 it is sent again once its effect had to show', async () => {
    const first = await givenRecords();
    first.service.fate = () => ({ isLost: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    first.service.fate = () => ({});
    const next = await givenRecords({ service: first.service, memory: first.given.memory });
    await next.given.clock.advance(29_000);
    expect(next.requests()).toEqual([]);
    await next.given.clock.advance(10_000);
    expect(next.requests()).toEqual([one]);
  });

  test('R37 the intent of an irreversible call is in the status before it is sent, and gone after its effect', async () => {
    const { given, service, apply, find } = await givenRecords({ call: { irreversible: true } });
    const intents: Promise<unknown>[] = [];
    service.fate = () => {
      intents.push(find().then((found) => found?.['status']?.externalCalls));
      return {};
    };
    await apply({ address: '1' });
    await given.clock.advance(60_000);
    expect(await Promise.all(intents)).toEqual([
      [{ name: 'address', hash: expect.any(String), time: expect.any(String) }],
    ]);
    expect((await find())?.['status'].externalCalls).toEqual([]);
  });

  test('R37 an irreversible call without an intent needs no wait, and one with an intent waits', async () => {
    const first = await givenRecords({ call: { irreversible: true } });
    first.service.silence = 'away';
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    const { service } = first;
    const { memory } = first.given;
    service.silence = undefined;
    let tries = 0;
    service.fate = () => {
      tries++;
      return { isLost: tries === 1 };
    };
    const next = await givenRecords({ call: { irreversible: true }, service, memory });
    await next.given.clock.advance(5_000);
    expect(tries).toBe(1);
    await next.given.close();
    const last = await givenRecords({ call: { irreversible: true }, service, memory });
    await last.given.clock.advance(25_000);
    expect(tries).toBe(1);
    await last.given.clock.advance(60_000);
    expect(tries).toBe(2);
  });
});

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

  test('R39 stays while the service is away, tells since when, and is released by its annotation', async () => {
    const { given, service, apply, find, remove } = await givenRecords();
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.silence = 'no route to the service';
    await remove();
    await given.clock.advance(2_000_000);
    const resource = await find();
    expect(conditionOf(resource, 'Ready')?.['message']).toMatch(
      /found is not known since 2030-01-01T00:0.*: no route to the service/,
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
