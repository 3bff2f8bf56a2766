import { describe, expect, it } from 'vitest';
import { loadOf, partitionCounts } from '../../../../operator/engines/kafka/partitions/load.js';
import { partition, topic } from './given-partitions.js';

const none = {
  replicas: 0,
  leaders: 0,
  preferred: 0,
  sole: 0,
  unreplicated: 0,
  blocking: 0,
  unavoidable: 0,
  blockingNames: [],
  unknownMinIsr: 0,
  unknownMinIsrTopics: [],
};

describe('what a restart of broker 0 would break', () => {
  it.each([
    { expected: {}, when: 'three replicas are in sync, and two must be', of: partition([0, 1, 2]) },
    {
      expected: { blocking: 1, blockingNames: ['t-0'] },
      when: 'one of three is not in sync',
      of: partition([0, 1, 2], { inSync: [0, 1] }),
    },
    { expected: {}, when: 'its own replica is not in sync', of: partition([1, 0, 2], { inSync: [1, 2] }) },
    {
      expected: { blocking: 1, unavoidable: 1, blockingNames: ['t-0'] },
      when: 'two replicas must be in sync of two',
      of: partition([0, 1]),
    },
    {
      expected: { blocking: 1, sole: 1, blockingNames: ['t-0'] },
      when: 'two replicas must be in sync of two, and the other one can catch up',
      of: partition([0, 1], { inSync: [0] }),
    },
    {
      expected: { blocking: 1, blockingNames: ['t-0'] },
      when: 'its replica catches up, and fewer are in sync than must be',
      of: partition([1, 0, 2], { inSync: [1] }),
    },
    { expected: {}, when: 'one must be in sync of two', of: partition([0, 1], { minInSync: 1 }) },
    {
      expected: { blocking: 1, sole: 1, blockingNames: ['t-0'] },
      when: 'it has the only one in sync',
      of: partition([0, 1], { minInSync: 1, inSync: [0] }),
    },
    {
      expected: { blocking: 1, unavoidable: 1, sole: 1, unreplicated: 1, blockingNames: ['t-0'] },
      when: 'it has the only replica, although two must be in sync',
      of: partition([0]),
    },
    {
      expected: { blocking: 1, blockingNames: ['t-0'] },
      when: 'one of three replicas in sync is lost, and a reassignment adds a fourth',
      of: partition([0, 1, 2, 3], { inSync: [0, 1], adding: [3] }),
    },
    {
      expected: { unknownMinIsr: 1, unknownMinIsrTopics: ['t'] },
      when: 'nobody knows how many must be in sync',
      of: partition([0, 1, 2], { minInSync: undefined }),
    },
    {
      expected: { unknownMinIsr: 1, unknownMinIsrTopics: ['t'] },
      when: 'nobody knows how many must be in sync, and its replica is not',
      of: partition([1, 0, 2], { minInSync: undefined, inSync: [1, 2] }),
    },
    {
      expected: { blocking: 1, unavoidable: 1, sole: 1, unreplicated: 1, blockingNames: ['t-0'] },
      when: 'nobody knows how many must be in sync, and it has the only replica',
      of: partition([0], { minInSync: undefined }),
    },
    { expected: { leaders: 0 }, when: 'nobody leads the partition', of: partition([0, 1, 2], { leader: undefined }) },
  ])('$expected: $when', ({ expected, of }) => {
    const led = { replicas: 1, leaders: of.leader === 0 ? 1 : 0, preferred: of.replicas[0] === 0 ? 1 : 0 };
    expect(loadOf([of], [0], new Map())[0]).toEqual({ ...none, ...led, ...expected });
  });

  it('names five partitions, in the order of people', () => {
    const of = topic(
      't',
      Array.from({ length: 12 }, () => [0]),
    );
    expect(loadOf([...of].reverse(), [0], new Map())[0]?.blockingNames).toEqual(['t-0', 't-1', 't-2', 't-3', 't-4']);
    expect(loadOf(of.slice(9), [0], new Map())[0]?.blockingNames).toEqual(['t-9', 't-10', 't-11']);
  });

  it('counts topics without a known minimum once each, and names five', () => {
    const names = Array.from({ length: 6 }, (_, number) => `t${number}`);
    const of = names.flatMap((name) =>
      topic(name, [
        [0, 1],
        [1, 0],
      ]).map((one) => ({ ...one, minInSync: undefined })),
    );
    expect(loadOf(of, [0], new Map())[0]).toMatchObject({
      unknownMinIsr: 6,
      unknownMinIsrTopics: ['t0', 't1', 't2', 't3', 't4'],
    });
  });
});

it('has a broker with nothing, one that is not registered, and the disks of those that answered', () => {
  const volumes = [{ directory: '/var/lib/kafka/data', size: { total: 10, usable: 4 } }];
  const disks = new Map([[0, { bytes: 5, volumes }]]);
  const load = loadOf([partition([7])], [0], disks);
  expect(load).toEqual({
    0: { ...none, bytes: 5, volumes },
    7: {
      ...none,
      replicas: 1,
      leaders: 1,
      preferred: 1,
      sole: 1,
      unreplicated: 1,
      blocking: 1,
      unavoidable: 1,
      blockingNames: ['t-0'],
    },
  });
});

const counts = {
  total: 1,
  underReplicated: 0,
  underMinIsr: 0,
  offline: 0,
  reassigning: 0,
  highestReplication: 3,
  highestTopic: 't',
};

describe('the partitions of a cluster', () => {
  it.each([
    { expected: {}, when: 'all is well', of: partition([0, 1, 2]) },
    {
      expected: { underReplicated: 1 },
      when: 'a replica is not in sync',
      of: partition([0, 1, 2], { inSync: [0, 1] }),
    },
    {
      expected: { underReplicated: 1, underMinIsr: 1 },
      when: 'two are not',
      of: partition([0, 1, 2], { inSync: [0] }),
    },
    {
      expected: { underReplicated: 1, underMinIsr: 1, offline: 1 },
      when: 'nobody leads',
      of: partition([0, 1, 2], { inSync: [0], leader: undefined }),
    },
    {
      expected: { reassigning: 1 },
      when: 'a fourth is added',
      of: partition([0, 1, 2, 3], { inSync: [0, 1, 2], adding: [3] }),
    },
    { expected: { highestReplication: 1 }, when: 'the only replica is in sync', of: partition([0]) },
  ])('$expected: $when', ({ expected, of }) => {
    expect(partitionCounts([of])).toEqual({ ...counts, ...expected });
  });

  it('are none at first', () => {
    expect(partitionCounts([])).toEqual({ ...counts, total: 0, highestReplication: 0, highestTopic: undefined });
  });
});
