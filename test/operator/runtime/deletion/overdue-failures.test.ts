import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound, GivenHouse } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

describe('a deletion whose removals fail for ever', () => {
  let given: GivenOperator;
  afterEach(() => given.close());

  /** As an admission webhook may answer, or the server to a removal of what is rewritten all the time. */
  test.each([
    { code: 403, reason: 'Forbidden', of: 1 },
    { code: 409, reason: 'Conflict', of: 1 },
    { code: 409, reason: 'Conflict', of: 2 },
  ])(
    'R28 is given up at its deadline where that is the policy: $reason, of $of objects',
    async ({ code, reason, of }) => {
      const error = new ApiError('the object has been modified', { code, reason });
      const faults = (cluster: Cluster): Cluster => ({
        ...bound(cluster),
        remove: async (kind, ...rest) => {
          if (kind.kind !== ConfigMap.kind) return cluster.remove(kind, ...rest);
          throw of === 1 ? error : new AggregateError([error, error]);
        },
      });
      const controllers = [widgetController({ finalizes: { deadline: 60_000, onDeadline: 'release' } })];
      given = await new GivenOperator({ controllers, faults }).start();
      await given.given(widgetKind, widget('web'));
      const { uid } = (await given.widget())?.metadata ?? { uid: '' };
      await given.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid });
      await given.clock.advance(59_000);
      expect(await given.widget()).toBeDefined();
      await given.clock.advance(1_000);
      expect(await given.widget()).toBeUndefined();
    },
  );
});

test('R28 what a newer state has kept from being undone at the deadline is undone by the next pass', async () => {
  const failures = [
    new ApiError('it has changed', { code: 409, reason: 'Conflict' }),
    new ApiError('it is gone', { code: 404, reason: 'NotFound', missing: 'web-a' }),
  ];
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    remove: async (...args) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return cluster.remove(...args);
    },
  });
  const controller = widgetController({ finalizes: { deadline: 60_000, onDeadline: 'release' } });
  const house = new GivenHouse({ controller, faults });
  await house.givenWidget();
  await house.pass();
  await house.removed(widgetKind, 'web');
  await house.clock.advance(900_000); // nobody looks
  await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  await expect(house.pass()).rejects.toMatchObject({ reason: 'NotFound' });
  expect(await house.pass()).toEqual(['remove ConfigMap team/web-a', 'apply Widget team/web']);
  house.close();
});
