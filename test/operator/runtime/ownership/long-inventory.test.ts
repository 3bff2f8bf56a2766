import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError, UnfinishedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole, groupKindOf } from '../../../../operator/runtime/kubernetes/kinds.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { bound, somebody } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { ReachHouse, reachingController } from '../given/reach.js';
import { widget, widgetKind } from '../given/widgets.js';

/** Of one pass: so many that find nothing, and those that are under way when it has had enough. */
const mostReads = 270;
const broken = new ApiError('something went wrong', { code: 500, reason: 'InternalError' });

let house: ReachHouse;
let reads: number;
let isBroken: boolean;

beforeEach(async () => {
  isBroken = false;
  house = new ReachHouse({
    faults: (cluster) => ({
      ...bound(cluster),
      read: async (...args) => {
        reads++;
        if (isBroken) throw broken;
        return cluster.read(...args);
      },
    }),
  });
  await house.reaching({ roles: ['c', 'zz'] });
  await house.pass();
});
afterEach(() => house.close());

/** Somebody takes the label off what is last in the inventory, so that no watch shows it. */
const unlabelled = () =>
  house.memory.patch(ClusterRole, { name: 'zz' }, [{ op: 'remove', path: '/metadata/labels' }], somebody);

/** Somebody lists these beside what is there. */
const listed = (names: readonly string[]) =>
  house.annotate(
    widgetKind,
    { namespace: 'team', name: 'web' },
    { [inventoryAnnotation]: JSON.stringify({ [groupKindOf(ClusterRole)]: ['c', ...names, 'zz'] }) },
  );

const thousands = Array.from({ length: 5_000 }, (_, n) => `n${n}`);

/** Passes until one does not meet what an earlier one has left to it. @returns how many, and the most reads of one */
async function passes(): Promise<{ count: number; most: number }> {
  let most = 0;
  for (let count = 1; ; count++) {
    reads = 0;
    const isDone = await house.pass().then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnfinishedError) return false;
        throw error;
      },
    );
    most = Math.max(most, reads);
    if (isDone) return { count, most };
  }
}

test('R22 R34 of a forged inventory of thousands a pass looks for a part, and what is ours in it goes in the end', async () => {
  await unlabelled();
  await listed(thousands);
  await house.reaching({ roles: ['c'] });
  const { count, most } = await passes();
  expect(count).toBe(21);
  expect(most).toBeLessThan(mostReads);
  expect(await house.names(ClusterRole)).toEqual(['c']);
  expect(await house.inventory()).toEqual({ [groupKindOf(ClusterRole)]: ['c'] });
});

test('R22 R34 a resource with a forged inventory of thousands goes in the end, and what is ours in it goes first', async () => {
  await unlabelled();
  await listed(thousands);
  await house.removeWidget();
  const { most } = await passes();
  expect(most).toBeLessThan(mostReads);
  expect(await house.names(ClusterRole)).toEqual([]);
  expect(await house.names(widgetKind)).toEqual([]);
});

test('R22 R34 what a forged inventory lists again and again is looked for once', async () => {
  await listed(Array.from({ length: 40_000 }, () => 'a'));
  await house.reaching({});
  expect(await passes()).toEqual({ count: 1, most: 1 });
  expect(await house.names(ClusterRole)).toEqual([]);
  expect(await house.inventory()).toBeNull();
});

test('R22 a pass whose reads fail asks for no more, and forgets nothing', async () => {
  await unlabelled();
  await listed(thousands);
  await house.reaching({ roles: ['c'] });
  isBroken = true;
  await expect(passes()).rejects.toBe(broken);
  expect(reads).toBeLessThan(20);
  isBroken = false;
  await passes();
  expect(await house.names(ClusterRole)).toEqual(['c']);
});

test('R22 R25 an inventory of which a thousand objects are gone is done a part a second, and nothing has failed', async () => {
  const given = new GivenOperator({ controllers: [reachingController()] });
  const metadata = {
    name: 'web',
    namespace: 'team',
    annotations: { [inventoryAnnotation]: JSON.stringify({ [groupKindOf(ClusterRole)]: thousands.slice(0, 1_000) }) },
  };
  const inventory = async () =>
    JSON.parse((await given.widget())?.metadata.annotations?.[inventoryAnnotation] ?? 'null');
  await given.given(widgetKind, { ...widget('web', { roles: ['c'] } as object), metadata });
  await given.start();
  expect(given.passes).toEqual(['requeue_after']);
  for (const _ of [1, 2, 3]) await given.clock.advance(1_000);
  expect(given.passes).toEqual(['requeue_after', 'requeue_after', 'requeue_after', 'success']);
  expect(await inventory()).toEqual({ [groupKindOf(ClusterRole)]: ['c'] });
  expect((await given.widget())?.['status'].retryCount).toBe(0);
  expect(given.complaints).toEqual([]);
  await given.close();
});

test('R22 R28 what is overdue is looked for part by part before it is let go', async () => {
  house.close();
  const finalization = { deadline: 60_000, onDeadline: 'release', external: () => false } as const;
  house = new ReachHouse({ controller: { ...reachingController(), finalization } });
  await house.reaching({ roles: ['c', 'zz'] });
  await house.pass();
  await unlabelled();
  await listed(thousands);
  await house.removeWidget();
  await house.clock.advance(900_000); // nobody looks
  const { count } = await passes();
  expect(count).toBeGreaterThan(20);
  expect(await house.names(ClusterRole)).toEqual([]);
  expect(await house.names(widgetKind)).toEqual([]);
});
