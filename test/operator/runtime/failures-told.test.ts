import { afterEach, expect, test } from 'vitest';
import type { Cluster } from '../../../operator/runtime/cluster.js';
import { ApiError } from '../../../operator/runtime/errors.js';
import { ConfigMap, Event } from '../../../operator/runtime/kinds.js';
import { bound } from './given-house.js';
import { GivenOperator } from './given-operator.js';
import { conditionOf, widget, widgetKind } from './given-widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

/** An operator over a Widget of which no ConfigMap can be made. */
async function failing(error: ApiError, ends = ['a']): Promise<GivenOperator> {
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, ...rest) => {
      if (kind.kind === ConfigMap.kind) throw error;
      return cluster.create(kind, ...rest);
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
    says: 'namespaces "a-typo" not found: make the namespace a-typo, or name another one',
  },
  {
    of: 'its kind',
    error: new ApiError('404 page not found', { code: 404, reason: 'NotFound' }),
    says: '404 page not found: install the definition of this kind, with this version',
  },
])('R25 an object that cannot be made for want of $of is told as any failure, with what to do', async (one) => {
  const given = await failing(one.error);
  await given.clock.advance(15);
  expect(conditionOf(await given.widget(), 'Ready')).toMatchObject({ reason: 'PassFailed', message: one.says });
  expect(await notes(given)).toEqual([`3 passes in a row failed: ${one.says}`]);
  expect(given.complaints).toHaveLength(3);
});

test('R25 of several objects that fail for one reason what to do is said once', async () => {
  const given = await failing(new ApiError('no', { code: 403, reason: 'Forbidden' }), ['a', 'b']);
  const message = conditionOf(await given.widget(), 'Ready')?.['message'];
  expect(message).toBe('no; no: grant the right or raise the quota');
});
