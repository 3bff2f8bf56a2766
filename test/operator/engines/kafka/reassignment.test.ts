import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssignedReplicas } from '../../../../operator/engines/kafka/connection/missing-calls.js';
import type { Partition } from '../../../../operator/engines/kafka/partitions/partitions.js';
import {
  movesOf,
  reassignmentFor,
  replicationFor,
} from '../../../../operator/engines/kafka/partitions/reassignment.js';
import { bounded } from '../../../given/bounded.js';
import { brokers, partition, topic } from './given-partitions.js';

const three = brokers({ 0: 'a', 1: 'b', 2: 'c' });
const four = brokers({ 0: 'a', 1: 'b', 2: 'c', 3: 'c' });
const five = brokers({ 0: 'a', 1: 'b', 2: 'c', 3: 'a', 4: 'b' });

describe('partitions leave brokers', () => {
  it.each([
    {
      expected: [[0, 1, 3]],
      when: 'the only other broker takes the replica, in the same place',
      given: { of: topic('t', [[0, 1, 2]]), on: four, from: [2], onto: [0, 1, 3] },
    },
    {
      expected: [[3, 1, 2]],
      when: 'the preferred leader leaves, its successor is the preferred leader',
      given: { of: topic('t', [[0, 1, 2]]), on: four, from: [0], onto: [1, 2, 3] },
    },
    {
      expected: [[0, 4]],
      when: 'another rack is chosen before a broker with fewer replicas',
      given: { of: topic('t', [[0, 1]]), on: five, from: [1], onto: [0, 3, 4] },
    },
    {
      expected: [],
      when: 'no broker is left for a replica, it stays where it is',
      given: { of: topic('t', [[0, 1, 2]]), on: three, from: [2], onto: [0, 1] },
    },
    {
      expected: [],
      when: 'a reassignment is under way that does the same',
      given: {
        of: [partition([0, 1, 3, 2], { adding: [3], removing: [2], inSync: [0, 1, 2] })],
        on: four,
        from: [2],
        onto: [0, 1, 3],
      },
    },
    {
      expected: [[0, 1, 3]],
      when: 'a reassignment is under way to the broker that leaves now',
      given: {
        of: [partition([0, 1, 2, 3], { adding: [2], removing: [3], inSync: [0, 1, 3] })],
        on: four,
        from: [2],
        onto: [0, 1, 3],
      },
    },
    {
      expected: [],
      when: 'a broker that should take replicas is not registered',
      given: { of: topic('t', [[0, 1]]), on: three, from: [1], onto: [0, 7] },
    },
  ])('$expected: $when', ({ expected, given: { of, on, from, onto } }) => {
    expect(reassignmentFor(of, on, { from, onto }).map(({ replicas }) => replicas)).toEqual(expected);
  });
});

describe('new brokers get their share', () => {
  it.each([
    {
      expected: { 0: 5, 1: 5, 2: 5, 3: 5, 4: 4 },
      when: 'one topic of 8 partitions is on three of five brokers without racks',
      on: [0, 1, 2, 3, 4].map((id) => ({ id })),
      of: topic(
        't',
        Array.from({ length: 8 }, (_, n) => [n % 3, (n + 1) % 3, (n + 2) % 3]),
      ),
    },
    {
      expected: { 0: 6, 1: 6, 2: 6, 3: 6, 4: 6 },
      when: 'ten topics of one partition are',
      on: [0, 1, 2, 3, 4].map((id) => ({ id })),
      of: Array.from({ length: 10 }, (_, n) => topic(`t${n}`, [[n % 3, (n + 1) % 3, (n + 2) % 3]])).flat(),
    },
    {
      expected: { 0: 5, 1: 5, 2: 10, 3: 5, 4: 5 },
      when: 'one of three racks has one broker, which keeps a replica of each partition',
      on: five,
      of: Array.from({ length: 10 }, (_, n) => topic(`t${n}`, [[n % 3, (n + 1) % 3, (n + 2) % 3]])).flat(),
    },
  ])('$expected: $when', ({ expected, on, of }) => {
    const after = applied(of, reassignmentFor(of, on, { from: [], onto: [0, 1, 2, 3, 4] }));
    expect(replicaCounts(after)).toEqual(expected);
    expect(Math.max(...Object.values(preferredCounts(after)))).toBeLessThanOrEqual(Math.ceil(of.length / 5) + 1);
  });

  it('moves large partitions from a broker that has most of the bytes', () => {
    const alone = brokers({ 0: 'a', 1: 'b' });
    const of = [...topic('t', [[0], [0], [1], [1]])].map((one, n) => ({ ...one, bytes: [100, 100, 1, 1][n] ?? 0 }));
    const after = applied(of, reassignmentFor(of, alone, { from: [], onto: [0, 1] }));
    expect(replicaCounts(after)).toEqual({ 0: 2, 1: 2 });
    expect(byteCounts(after)).toEqual({ 0: 101, 1: 101 });
  });
});

describe('every reassignment', () => {
  const world = fc
    .record({
      racks: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 3, maxLength: 8 }),
      topics: fc.array(
        fc.record({ partitions: fc.integer({ min: 1, max: 9 }), replication: fc.integer({ min: 1, max: 3 }) }),
        { minLength: 1, maxLength: 8 },
      ),
      leaving: fc.integer({ min: 0, max: 2 }),
      seed: fc.integer({ min: 0, max: 1e6 }),
    })
    .map(({ racks, topics, leaving, seed }) => {
      const on = racks.map((rack, id) => ({ id, rack }));
      const random = generator(seed);
      const of = topics.flatMap(({ partitions, replication }, n) =>
        topic(
          `t${n}`,
          Array.from({ length: partitions }, () =>
            shuffled(
              on.map(({ id }) => id),
              random,
            ).slice(0, replication),
          ),
        ).map((one) => ({ ...one, bytes: Math.floor(random() * 1000) })),
      );
      const from = shuffled(
        on.map(({ id }) => id),
        random,
      ).slice(0, leaving);
      return { on, of, from, onto: on.map(({ id }) => id).filter((id) => !from.includes(id)) };
    });

  it('keeps the number of replicas, leaves no replica on a leaving broker that another can take, and is made once', () => {
    fc.assert(
      fc.property(world, ({ on, of, from, onto }) => {
        const reassignment = reassignmentFor(of, on, { from, onto });
        const after = applied(of, reassignment);
        for (const [index, { replicas }] of after.entries()) {
          expect(replicas).toHaveLength(of[index]?.replicas.length ?? -1);
          expect(new Set(replicas).size).toBe(replicas.length);
          if (replicas.length <= onto.length) expect(replicas.filter((id) => from.includes(id))).toEqual([]);
        }
        expect(reassignmentFor(after, on, { from, onto })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('lowers the number of racks of no partition if no broker leaves', () => {
    fc.assert(
      fc.property(world, ({ on, of }) => {
        const rackOf = new Map(on.map(({ id, rack }) => [id, rack]));
        const racks = ({ replicas }: Partition) => new Set(replicas.map((id) => rackOf.get(id))).size;
        const onto = on.map(({ id }) => id);
        const after = applied(of, reassignmentFor(of, on, { from: [], onto }));
        for (const [index, one] of of.entries()) expect(racks(after[index] ?? one)).toBeGreaterThanOrEqual(racks(one));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a number of replicas', () => {
  it.each([
    { expected: [[0, 1, 2]], when: 'one is added, in another rack', of: [partition([0, 1])], on: four, to: 3 },
    { expected: [[0, 1, 2]], when: 'there are not enough brokers for more', of: [partition([0, 1])], on: three, to: 5 },
    {
      expected: [[0, 2]],
      when: 'one is removed that is not in sync',
      of: [partition([0, 1, 2], { inSync: [0, 2] })],
      on: three,
      to: 2,
    },
    {
      expected: [[1, 2]],
      when: 'the preferred leader is not in sync: the two copies of all records stay',
      of: [partition([0, 1, 2], { inSync: [1, 2] })],
      on: three,
      to: 2,
    },
    {
      expected: [[2]],
      when: 'one has all records',
      of: [partition([0, 1, 2], { inSync: [2] })],
      on: three,
      to: 1,
    },
    {
      expected: [[0]],
      when: 'none is known to have all records',
      of: [partition([0, 1, 2], { inSync: [] })],
      on: three,
      to: 1,
    },
    { expected: [[0, 2]], when: 'one is removed whose rack has another', of: [partition([0, 2, 3])], on: four, to: 2 },
    { expected: [], when: 'it has as many', of: [partition([0, 1, 2])], on: three, to: 3 },
    { expected: [[0]], when: 'none is asked, one stays', of: [partition([0, 1])], on: three, to: 0 },
  ])('$expected: $when', ({ expected, of, on, to }) => {
    expect(replicationFor(of, on, to).map(({ replicas }) => replicas)).toEqual(expected);
  });
});

it.each([
  { expected: { partitions: 1, bytes: 50, busiest: 50 }, when: 'a replica is copied', to: [0, 1, 3] },
  { expected: { partitions: 1, bytes: 100, busiest: 100 }, when: 'two are, of the same leader', to: [4, 1, 3] },
  { expected: { partitions: 0, bytes: 0, busiest: 0 }, when: 'only the order changes', to: [2, 1, 0] },
])('$expected: $when', ({ expected, to }) => {
  const of = [partition([0, 1, 2], { bytes: 50 })];
  expect(movesOf([{ topic: 't', partition: 0, replicas: to }], of)).toEqual(expected);
});

it.each([
  { busiest: 60, when: 'one broker sends all of them', leaders: [0, 0], to: [3, 4] },
  { busiest: 60, when: 'one broker receives all of them', leaders: [0, 1], to: [3, 3] },
  { busiest: 50, when: 'two brokers share them', leaders: [0, 1], to: [3, 4] },
  { busiest: 50, when: 'a partition has no leader', leaders: [undefined, undefined], to: [3, 4] },
])('the busiest broker copies $busiest bytes when $when', ({ busiest, leaders, to }) => {
  const of = [50, 10].map((bytes, n) => ({ ...partition([0, 1, 2], { bytes, leader: leaders[n] }), partition: n }));
  const moved = to.map((id, n) => ({ topic: 't', partition: n, replicas: [id, 1, 2] }));
  expect(movesOf(moved, of)).toEqual({ partitions: 2, bytes: 60, busiest });
});

it('plans 1,000 topics on 30 brokers in one go', () => {
  const on = Array.from({ length: 30 }, (_, id) => ({ id, rack: `r${id % 3}` }));
  const of = Array.from({ length: 1000 }, (_, n) =>
    topic(
      `t${n}`,
      Array.from({ length: 6 }, (_, p) => [0, 1, 2].map((k) => (n + p + k) % 25)),
      (n * 7919) % 1000,
    ),
  ).flat();
  const plan = () => reassignmentFor(of, on, { from: [0, 1, 2], onto: on.map(({ id }) => id).slice(3) });
  const after = applied(of, bounded(plan));
  const counts = Object.values(replicaCounts(after));
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
});

function applied(of: readonly Partition[], reassignment: readonly AssignedReplicas[]): readonly Partition[] {
  const to = new Map(reassignment.map(({ topic, partition, replicas }) => [`${topic} ${partition}`, replicas]));
  return of.map((one) => {
    const replicas = to.get(`${one.topic} ${one.partition}`) ?? one.replicas;
    return { ...one, replicas, inSync: replicas, leader: replicas[0], adding: [], removing: [] };
  });
}

function replicaCounts(of: readonly Partition[]) {
  return counted(of.flatMap(({ replicas }) => replicas.map((id) => [id, 1] as const)));
}

function preferredCounts(of: readonly Partition[]) {
  return counted(of.map(({ replicas: [first = -1] }) => [first, 1] as const));
}

function byteCounts(of: readonly Partition[]) {
  return counted(of.flatMap(({ replicas, bytes }) => replicas.map((id) => [id, bytes] as const)));
}

function counted(entries: readonly (readonly [number, number])[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const [id, by] of entries) counts[id] = (counts[id] ?? 0) + by;
  return counts;
}

function generator(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, by: random() }))
    .sort((one, other) => one.by - other.by)
    .map(({ value }) => value);
}
