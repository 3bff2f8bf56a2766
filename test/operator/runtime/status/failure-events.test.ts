import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { isDue } from '../../../../operator/runtime/status/failure-status.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { conditionOf, widget, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

/** An operator over a Widget of which no ConfigMap can be made, and, where that meets an error, no status written. */
async function failing(error: ApiError | (() => ApiError), ends = ['a'], ofStatus?: ApiError): Promise<GivenOperator> {
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, ...rest) => {
      if (kind.kind === ConfigMap.kind) throw typeof error === 'function' ? error() : error;
      return cluster.create(kind, ...rest);
    },
    apply: async (kind, object, options) => {
      if (ofStatus && options.subresource === 'status') throw ofStatus;
      return cluster.apply(kind, object, options);
    },
  });
  given = await new GivenOperator({ faults }).start();
  await given.given(widgetKind, widget('web', { maps: Object.fromEntries(ends.map((end) => [end, {}])) }));
  return given;
}

const notes = async (given: GivenOperator) =>
  (await given.memory.list(Event, {})).items.map((event) => (event as { note?: string }).note);

test.each([
  {
    of: 'its namespace',
    error: new ApiError('namespaces "a-typo" not found', {
      ...{ code: 404, reason: 'NotFound', missing: 'a-typo', missingKind: 'namespaces' },
    }),
    says: 'namespaces "a-typo" not found: create the namespace a-typo, or use another one',
  },
  {
    of: 'its kind',
    error: new ApiError('404 page not found', { code: 404, reason: 'NotFound' }),
    says: '404 page not found: install the CRD of this kind in this version',
  },
])('R25 an object that cannot be made for want of $of is told as any failure, with what to do', async (one) => {
  const given = await failing(one.error);
  await given.clock.advance(15);
  expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ reason: 'ReconcileFailed', message: one.says });
  expect(await notes(given)).toEqual([`3 reconciles in a row failed: ${one.says}`]);
  expect(given.complaints).toHaveLength(3);
});

test('R25 of several objects that fail for one reason what to do is said once', async () => {
  const given = await failing(new ApiError('no', { code: 403, reason: 'Forbidden' }), ['a', 'b']);
  const message = conditionOf(await given.widget(), 'Ready')?.['message'];
  expect(message).toBe(
    'no; no: find the admission rule or the missing permission that the message names, and change it or the object',
  );
});

const conflict = new ApiError('it has changed', { code: 409, reason: 'Conflict' });
const ending = new ApiError('its namespace is ending', { code: 403, reason: 'NamespaceTerminating' });
const gone = new ApiError('it is gone', { code: 404, reason: 'NotFound', missing: 'web-a' });

/** Lets passes fail until so many have failed in a row. */
async function until(given: GivenOperator, failures: number): Promise<void> {
  while (given.passes.length < failures) await given.clock.advance(1);
}

test.each([
  { of: 'is changed each time', error: conflict, from: 5 },
  { of: 'is gone each time', error: gone, from: 14 },
])(
  'R25 an object that $of is told of when that has been so $from times in a row, and not before',
  async ({ error, from }) => {
    const given = await failing(error);
    await until(given, from - 1);
    expect(given.complaints).toEqual([]);
    expect((await given.widget())?.['status']).toBeUndefined();
    await until(given, from);
    expect(given.complaints).toEqual(['Objects change during each reconcile, requeueing']);
    expect(await notes(given)).toEqual([`${from} reconciles in a row failed: ${error.message}`]);
    const { retryCount } = (await given.widget())?.['status'] ?? {};
    expect(retryCount).toBe(from);
    expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed' });
    await given.clock.advance(24 * 3_600_000);
    expect(await notes(given)).toHaveLength(1);
  },
);

const broken = new ApiError('it is broken', { code: 500, reason: 'InternalError' });
test.each([
  { told: '4', when: 'three conflicts came first', row: [conflict, conflict, conflict] },
  { told: '3', when: 'conflicts came after', row: [broken, broken, broken, conflict, conflict, conflict] },
])('R25 a row of failures is told as one event, after $told of them, when $when', async ({ told, row }) => {
  const rest = [...row];
  const given = await failing(() => rest.shift() ?? broken);
  await given.clock.advance(60_000);
  expect(await notes(given)).toEqual([`${told} reconciles in a row failed: it is broken`]);
});

test.each([
  { when: 'it is refused', error: new ApiError('no', { code: 403, reason: 'Forbidden' }), warned: 3 },
  { when: 'it is not found', error: new ApiError('no such path', { code: 404, reason: 'NotFound' }), warned: 3 },
])('R25 is told as an event, and in the log, when the status cannot be written: $when', async ({ error, warned }) => {
  const given = await failing(broken, ['a'], error);
  await given.clock.advance(15);
  expect(await notes(given)).toEqual(['3 reconciles in a row failed: it is broken']);
  const unsaid = given.complaints.filter((one) => one === 'Failed to write the failure to the status');
  expect(unsaid).toHaveLength(warned);
});

test('R25 is told, though the status meets a newer state each time too', async () => {
  const given = await failing(conflict, ['a'], conflict);
  await until(given, 4);
  expect(given.complaints).toEqual([]);
  await until(given, 5);
  expect(given.complaints).toEqual([
    'Objects change during each reconcile, requeueing',
    'Failed to write the failure to the status',
  ]);
  expect(await notes(given)).toHaveLength(1);
});

test.each([
  { from: 3, of: 'what is broken', error: broken },
  { from: 5, of: 'a conflict', error: conflict },
  { from: 5, of: 'several conflicts', error: new AggregateError([conflict, conflict]) },
  { from: 14, of: 'what is gone', error: gone },
  { from: 14, of: 'the end of a namespace', error: ending },
  { from: 14, of: 'that and a conflict', error: new AggregateError([conflict, ending]) },
  { from: 3, of: 'that and what is broken', error: new AggregateError([ending, broken]) },
])('R25 people hear of $of when $from passes in a row have failed', ({ from, error }) => {
  expect([isDue(error, from - 1), isDue(error, from)]).toEqual([false, true]);
});
