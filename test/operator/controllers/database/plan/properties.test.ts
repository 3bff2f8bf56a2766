import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import { World } from '../given-world.js';
import { now, planned, position, replica } from '../instances/given-instances.js';

const presence = fc.constantFrom('none' as const, 'there' as const, 'ending' as const);
const report = fc.option(
  fc.record({
    role: fc.constantFrom('primary' as const, 'replica' as const),
    state: fc.constantFrom('running', 'stopped', 'creating replica'),
    timeline: fc.constantFrom(1, 2),
    position: fc.constantFrom(position - 1, position, position + 1),
    pendingRestart: fc.boolean(),
    streaming: fc.dictionary(
      fc.constantFrom('orders-1', 'orders-2', 'orders-3', 'orders-4'),
      fc.record({ synchronous: fc.boolean() }),
    ),
  }),
  { nil: undefined },
);

/** Any instance, however unlikely. */
const instance = (serial: number): fc.Arbitrary<Instance> =>
  fc
    .record({
      ...{ pod: presence, claim: presence, isReady: fc.boolean(), report },
      revision: fc.constantFrom('r0', 'r1'),
      parameters: fc.constantFrom('p0', 'p1'),
      leavingAt: fc.constantFrom(undefined, undefined, '1', '2'),
      isQuarantined: fc.boolean(),
      isCordoned: fc.boolean(),
      isLabelledPrimary: fc.boolean(),
      unreadySince: fc.constantFrom(undefined, now - 1_000_000, now),
      trouble: fc.constantFrom(undefined, 'container postgres: CrashLoopBackOff'),
    })
    .map((changes) => replica(serial, changes));

const instances = fc
  .subarray([1, 2, 3, 4])
  .chain((serials) => fc.tuple(...serials.map(instance)) as fc.Arbitrary<readonly Instance[]>);
const wishes = { wanted: fc.integer({ min: 1, max: 4 }), isSynchronous: fc.boolean() };

/** Whatever is seen, by a plan and by what it would change. */
function always(holds: (seen: readonly Instance[], plan: ReturnType<typeof planned>) => void) {
  fc.assert(
    fc.property(instances, fc.record(wishes), (seen, changes) => void holds(seen, planned(seen, changes))),
    { numRuns: 2_000 },
  );
}

const stopped = (seen: readonly Instance[], plan: ReturnType<typeof planned>) =>
  seen.filter(({ name, pod, isQuarantined }) => pod === 'there' && !isQuarantined && !plan.pods.includes(name));

describe('whatever is seen', () => {
  test('line 5: at most one pod is taken away that was not written down to go', () => {
    always((seen, plan) =>
      expect(stopped(seen, plan).filter(({ leavingAt }) => leavingAt === undefined).length).toBeLessThan(2),
    );
  });

  test('line 3: the pod of an instance that says that it is the primary stays, unless it is alone', () => {
    always((seen, plan) => {
      const alone =
        seen.filter((one) => !one.isQuarantined && one.leavingAt === undefined && one.pod !== 'none').length < 2;
      for (const one of stopped(seen, plan)) expect(one.report?.role === 'primary' && !alone).toBe(false);
    });
  });

  test('line 3: a claim goes only after its pod, and only when that was written down, and somebody else serves', () => {
    always((seen, plan) => {
      const gone = seen.filter(
        ({ name, claim }) => claim === 'there' && !plan.claims.some((kept) => kept.name === name),
      );
      expect(gone.length === 0 || gone.every(({ pod, leavingAt }) => pod === 'none' && leavingAt !== undefined)).toBe(
        true,
      );
      const serves = ({ name, report, isReady }: Instance) =>
        isReady && report?.role === 'primary' && report.state === 'running' && !gone.some((one) => one.name === name);
      if (gone.length > 0) expect(seen.filter(serves).length).toBe(1);
    });
  });

  test('nothing is taken away, and nobody hands over, where no instance answers, but what does not run', () => {
    always((seen, plan) => {
      if (seen.some((one) => one.report !== undefined)) return;
      expect(plan.from).toBeUndefined();
      for (const one of stopped(seen, plan)) expect(one.isReady).toBe(false);
      for (const { name, claim } of seen) {
        if (claim === 'there') expect(plan.claims.map((kept) => kept.name)).toContain(name);
      }
    });
  });

  test('an instance has a claim, but for one whose claim is on its way out', () => {
    always((seen, plan) => {
      const known = new Set([
        ...plan.claims.map(({ name }) => name),
        ...seen.filter((one) => one.claim === 'ending').map(({ name }) => name),
      ]);
      for (const name of plan.pods) expect(known).toContain(name);
    });
  });
});

describe('a database over time', () => {
  const wish = fc.record({ wanted: fc.integer({ min: 1, max: 4 }), revision: fc.constantFrom('r1', 'r2') });

  test('lines 1, 3, 5: comes to what is wanted, and no more than one instance at a time is missed on the way', () => {
    fc.assert(
      fc.property(fc.array(wish, { minLength: 1, maxLength: 4 }), (wishes) => {
        const world = new World();
        for (const one of wishes) {
          world.wish(one);
          world.rest();
          expect(world.summary).toEqual({ ...one, running: one.wanted, claims: one.wanted, primaries: 1 });
        }
        expect(world.mostAway).toBeLessThan(2);
        expect(world.lost).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('lines 2, 3, 5: comes to it though pods die at any time, and loses no write', () => {
    const death = fc.record({ at: fc.nat(40), who: fc.nat(3) });
    fc.assert(
      fc.property(
        fc.array(wish, { minLength: 1, maxLength: 3 }),
        fc.array(death, { maxLength: 8 }),
        (wishes, deaths) => {
          const world = new World(deaths);
          for (const one of wishes) {
            world.wish(one);
            world.rest();
          }
          const last = wishes.at(-1);
          expect(world.summary).toMatchObject({ ...last, running: last?.wanted, primaries: 1 });
          expect(world.lost).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
