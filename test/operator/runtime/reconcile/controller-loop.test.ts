import { afterEach, describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
const open = async (...props: ConstructorParameters<typeof GivenOperator>) => {
  given = new GivenOperator(...props);
  return given.start();
};
afterEach(async () => {
  await given.close();
  expect(given.clock.waiting).toBe(0);
});

/** A cluster that refuses to create ConfigMaps while the switch is on. */
function refusing(error = failure(500, 'InternalError')) {
  const refusal = {
    on: true,
    faults: (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (refusal.on && kind.kind === 'ConfigMap') throw error;
        return cluster.create(kind, object, options);
      },
    }),
  };
  return refusal;
}

function itsOwnCause(): Error {
  const error = new Error('boom');
  error.cause = error;
  return error;
}

/** Whoever reads anything of it fails. */
function unreadable(): Error {
  const get = () => {
    throw new Error('not to be read');
  };
  const nothing = Object.fromEntries(['stack', 'message', 'cause'].map((field) => [field, { get }]));
  return Object.defineProperties(new Error(), nothing);
}

describe('a pass that fails', () => {
  it('R25 is counted in the status, told as an event after the third time, and forgotten by a success', async () => {
    const refusal = refusing();
    const given = await open({ faults: refusal.faults });
    const count = async () => (await given.widget())?.['status'].retryCount;
    await given.given(widgetKind, widget('web'));
    expect(await count()).toBe(1);
    expect(conditionOf(await given.widget(), 'Ready')).toBeUndefined();
    await given.clock.advance(5);
    expect(await count()).toBe(2);
    expect((await given.memory.list(Event, {})).items).toEqual([]);
    await given.clock.advance(10);
    expect(await count()).toBe(3);
    const note = '3 reconciles in a row failed: it says InternalError';
    expect((await given.memory.list(Event, {})).items).toMatchObject([
      { type: 'Warning', reason: 'ReconcileFailed', note },
    ]);
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed' });
    refusal.on = false;
    await given.clock.advance(20);
    expect(await count()).toBe(0);
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ status: 'True' });
    expect(conditionOf(await given.widget(), 'Reconciling')).toBeUndefined();
    const events = (await given.memory.list(Event, {})).items as Loose[];
    expect(events.map(({ reason }) => reason).toSorted()).toEqual(['Created', 'Ready', 'ReconcileFailed']);
  });

  const gone = new ApiError('it is gone', { code: 404, reason: 'NotFound', missing: 'web' });
  it.each([
    { complaints: 2, when: 'the status cannot be written', error: failure(403, 'Forbidden') },
    { complaints: 1, when: 'the resource has gone meanwhile', error: gone },
    { complaints: 1, when: 'the resource has changed meanwhile', error: failure(409, 'Conflict') },
  ])('R25 is complained of $complaints times when $when', async ({ complaints, error }) => {
    const refusal = refusing();
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(refusal.faults(cluster)),
      apply: async (kind, object, options) => {
        if (options.subresource === 'status') throw error;
        return cluster.apply(kind, object, options);
      },
      read: async (kind, ...args) => (error === gone && kind === widgetKind ? undefined : cluster.read(kind, ...args)),
    });
    const given = await open({ faults });
    await given.given(widgetKind, widget('web'));
    expect(given.complaints).toHaveLength(complaints);
    refusal.on = false;
  });

  it('R24 writes nothing that the status of a kind that counts no failures says already', async () => {
    const kind = { ...widgetKind, statusFields: ['observedGeneration', 'conditions'] } as ObjectKind;
    const assess = () => ({ conditions: { Sized: { reason: 'Fits' } } });
    const given = await open({ faults: refusing().faults, controllers: [widgetController({ kind, assess })] });
    const statuses = () => given.writes.filter((write) => write.includes('Widget/status')).length;
    await given.given(widgetKind, widget('web'));
    expect(statuses()).toBe(0);
    await given.clock.advance(5);
    expect(statuses()).toBe(0);
    await given.clock.advance(10); // the third
    expect(statuses()).toBe(1);
    await given.clock.advance(1_000);
    expect(statuses()).toBe(1);
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed' });
  });

  it('R12 R25 writes its status without causing a pass of its own', async () => {
    const given = await open({ faults: refusing().faults });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(2);
    expect(given.passes).toEqual(['error']);
  });

  it.each([
    { when: 'one object is refused', ends: ['a'] },
    { when: 'several are', ends: ['a', 'b'] },
  ])('R4 says at once what the API server refused when $when', async ({ ends }) => {
    const maps = Object.fromEntries(ends.map((end) => [end, {}]));
    const given = await open({ faults: refusing(failure(422, 'Invalid')).faults });
    await given.given(widgetKind, widget('web', { maps }));
    const message = ends.map(() => 'it says Invalid').join('; ');
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ApplyRejected',
      message,
    });
    expect(conditionOf(await given.widget(), 'Stalled')).toMatchObject({ status: 'True' });
    expect(conditionOf(await given.widget(), 'Accepted')).toMatchObject({ status: 'True', observedGeneration: 1 });
    expect((await given.widget())?.['status'].observedGeneration).toBe(1);
  });

  it('R12 over a refusal is tried again after a second, not after milliseconds', async () => {
    const given = await open({ faults: refusing(failure(422, 'Invalid')).faults });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(499);
    expect(given.passes).toEqual(['error']);
    await given.clock.advance(501);
    expect(given.passes).toEqual(['error', 'error']);
  });

  it('R34 over a refusal of 40,000 characters says the beginning', async () => {
    const wordy = failure(422, 'Invalid');
    wordy.message = 'x'.repeat(40_000);
    const given = await open({ faults: refusing(wordy).faults });
    await given.given(widgetKind, widget('web'));
    expect(conditionOf(await given.widget(), 'Ready')?.['message']).toBe(`${'x'.repeat(1021)}…`);
  });

  it('R4 over a right that is missing says so', async () => {
    const given = await open({ faults: refusing(failure(403, 'Forbidden')).faults });
    await given.given(widgetKind, widget('web'));
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({
      message:
        'it says Forbidden: find the admission rule or the missing permission that the message names, and change it or the object',
    });
  });

  it('R4 over a conflict is no news', async () => {
    const given = await open({ faults: refusing(failure(409, 'Conflict')).faults });
    await given.given(widgetKind, widget('web', { maps: { a: {}, b: {} } }));
    expect(given.passes).toEqual(['error']);
    expect(given.complaints).toEqual([]);
    expect((await given.widget())?.['status']).toBeUndefined();
  });

  it('R25 because the controller is wrong does not stop the others', async () => {
    const wrong = widgetController({
      desire: (scope, facts) => {
        if (facts.resource.metadata.name === 'bad') throw new TypeError('x is undefined');
        widgetController().desire(scope, facts);
      },
    });
    const given = await open({ controllers: [wrong] });
    await given.given(widgetKind, widget('bad'));
    await given.given(widgetKind, widget('web'));
    expect((await given.widget())?.['status'].retryCount).toBe(0);
    expect((await given.widget('bad'))?.['status'].retryCount).toBe(1);
  });

  it.each([
    { throws: 'a string', error: 'boom', said: 'desire of controller widget failed: boom' },
    { throws: 'a plain object', error: { why: 'boom' }, said: 'desire of controller widget failed: {"why":"boom"}' },
    { throws: 'undefined', error: undefined, said: 'desire of controller widget failed: undefined' },
    { throws: 'null', error: null, said: 'desire of controller widget failed: null' },
    { throws: 'a symbol', error: Symbol('boom'), said: 'desire of controller widget failed: Symbol(boom)' },
    { throws: 'what cannot be printed', error: 1n, said: 'desire of controller widget failed: 1' },
    {
      throws: 'an object that cannot be printed',
      error: { why: 1n },
      said: 'desire of controller widget failed: a value that is not an Error',
    },
    { throws: 'an Error whose message is none', error: Object.assign(new Error(), { message: 7 }), said: 'failed: 7' },
    { throws: 'an Error that is its own cause', error: itsOwnCause(), said: 'failed: boom' },
    { throws: 'an Error of which nothing can be read', error: unreadable(), said: 'a value that is not an Error' },
    { throws: 'a rejected promise', error: 'async', said: 'make the function synchronous' },
  ])('R25 is isolated and told when desire throws $throws', async ({ error, said }) => {
    const asynchronous = () => Promise.reject(new Error('boom'));
    const throwing = () => {
      throw error;
    };
    const desire = error === 'async' ? asynchronous : throwing;
    const given = await open({ controllers: [widgetController({ desire })] });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(20);
    const [event] = (await given.memory.list(Event, {})).items as readonly Loose[];
    expect(event?.['note']).toMatch(/^3 reconciles in a row failed: /);
    expect(event?.['note']).toContain(said);
    expect(conditionOf(await given.widget(), 'Ready')?.['message']).toContain(said);
  });

  type Wrong = (resource: Loose, owned: readonly Loose[]) => void;
  it.each([
    { when: 'sets a field', wrong: (resource) => Object.assign(resource['spec'], { maps: {} }) },
    { when: 'adds a field', wrong: (resource) => Object.assign(resource['spec'], { added: 1 }) },
    {
      when: 'deletes a field',
      wrong: (resource) => Reflect.ownKeys(resource['spec']).map((f) => delete resource['spec'][f]),
    },
    { when: 'sorts a list', wrong: (resource) => resource['spec'].list.sort() },
    { when: 'appends to a list', wrong: (resource) => resource['spec'].list.push('c') },
    {
      when: 'edits what is owned',
      wrong: (_, owned) => owned.map((one) => Object.assign(one.metadata, { name: 'b' })),
    },
  ] as { when: string; wrong: Wrong }[])(
    'R9 R25 names the controller whose code $when of what it is given',
    async ({ wrong }) => {
      const assess: Controller['assess'] = ({ resource, owned }) => {
        wrong(resource as Loose, owned.all() as readonly Loose[]);
        return { conditions: {} };
      };
      const given = await open({ controllers: [widgetController({ assess })] });
      await given.given(widgetKind, widget('web', { maps: { a: {} }, list: ['b', 'a'] } as object));
      await given.clock.advance(20);
      const message = conditionOf(await given.widget(), 'Ready')?.['message'];
      expect(message).toMatch(
        /^assess of controller widget modified its arguments: .*: its arguments are shared, copy them/,
      );
    },
  );

  it('R25 is recorded even if the third failure in a row is a conflict', async () => {
    const failures = ['InternalError', 'InternalError', 'Conflict', 'InternalError'];
    const failing = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, ...rest) => {
        if (kind.kind !== 'ConfigMap') return cluster.create(kind, ...rest);
        throw failure(500, failures.shift() ?? 'InternalError');
      },
    });
    const given = await open({ faults: failing });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(60);
    expect((await given.memory.list(Event, {})).items).toHaveLength(1);
  });

  it('R12 runs at once after an edit', async () => {
    const refusal = refusing();
    const given = await open({ faults: refusal.faults });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(20_000);
    refusal.on = false;
    await given.given(widgetKind, widget('web', { maps: { b: {} } }));
    expect((await given.widget())?.['status'].retryCount).toBe(0);
  });

  it('R26 is given up after its deadline', async () => {
    const hanging = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: (_, __, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    const given = await open({ faults: hanging, reconcileTimeout: 7_000 });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(6_999);
    expect(given.passes).toEqual([]);
    await given.clock.advance(1);
    expect(given.passes).toEqual(['error']);
  });
});

it('an object that is given to another resource wakes that one as well as the one that had it', async () => {
  const given = await open();
  await given.given(widgetKind, widget('web'));
  await given.given(widgetKind, widget('other', { maps: {} }));
  const [owner] =
    (await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' }))?.metadata.ownerReferences ?? [];
  const { uid } = (await given.widget('other'))?.metadata ?? { uid: '' };
  const before = given.writes.length;
  const value = [{ ...owner, name: 'other', uid }];
  const handed = { op: 'replace', path: '/metadata/ownerReferences', value } as const;
  await given.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, [handed], { manager: 'somebody' });
  await settled();
  const written = given.writes.slice(before);
  expect(written).toContain('remove ConfigMap team/web-a'); // by the one that has it, and wants it not
  expect(written).toContain('apply Widget/status team/web'); // the one that had it says so
});
