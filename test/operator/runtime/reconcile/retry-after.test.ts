import { afterEach, expect, test } from 'vitest';
import { ApiError, FencedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

async function failing(error: () => Error): Promise<number[]> {
  const tries: number[] = [];
  given = new GivenOperator({
    faults: (cluster) => ({
      ...bound(cluster),
      create: async (kind, ...rest) => {
        if (kind.kind !== 'ConfigMap') return cluster.create(kind, ...rest);
        tries.push(given.clock.monotonic());
        throw error();
      },
    }),
  });
  await given.start();
  await given.given(widgetKind, widget('web', { maps: { a: {}, b: {} } }));
  return tries;
}

test('R4 a server that asks to be left alone for a minute is', async () => {
  const tries = await failing(() => new ApiError('busy', { code: 429, reason: 'TooManyRequests', retryAfter: 60_000 }));
  const first = tries.length;
  await given.clock.advance(59_000);
  expect(tries.length).toBe(first);
  await given.clock.advance(60_000);
  expect(tries.length).toBeGreaterThan(first);
});

test('R29 the end of a term in the middle of a wave is no failure', async () => {
  await failing(() => new FencedError('the lease term is over'));
  expect(given.complaints).toEqual([]);
});
