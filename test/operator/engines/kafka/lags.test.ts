import { describe, expect, it } from 'vitest';
import { type CommittedOffset, lagsOf, partitionKey } from '../../../../operator/engines/kafka/consumers/lags.js';

const committed = (group: string, topic: string, partition: number, offset: bigint): CommittedOffset => ({
  ...{ group, topic, partition, offset },
});
const ends = new Map([
  [partitionKey({ topic: 'orders', partition: 0 }), 100n],
  [partitionKey({ topic: 'orders', partition: 1 }), 50n],
  [partitionKey({ topic: 'news', partition: 0 }), 9_007_199_254_740_993n],
]);

describe('the lag of consumer groups', () => {
  it.each([
    {
      lag: 45,
      when: 'it is behind in two partitions',
      of: [committed('shop', 'orders', 0, 90n), committed('shop', 'orders', 1, 15n)],
    },
    { lag: 0, when: 'it has read everything', of: [committed('shop', 'orders', 0, 100n)] },
    { lag: 0, when: 'the topic was created again, and ends earlier', of: [committed('shop', 'orders', 0, 101n)] },
    {
      lag: 10,
      when: 'one of its partitions has no leader',
      of: [committed('shop', 'orders', 0, 90n), committed('shop', 'orders', 7, 0n)],
    },
    {
      lag: 1,
      when: 'offsets are larger than a number can be',
      of: [committed('shop', 'news', 0, 9_007_199_254_740_992n)],
    },
  ])('is $lag when $when', ({ lag, of }) => {
    const [{ topic } = expect.fail()] = of;
    expect(lagsOf(of, ends, 50)).toEqual({ lags: [{ group: 'shop', topic, lag }], omitted: 0 });
  });

  it('has the pairs that are the furthest behind, sorted by group and topic, and counts the others', () => {
    const of = [
      committed('b', 'orders', 0, 98n),
      committed('a', 'orders', 1, 20n),
      committed('c', 'orders', 0, 99n),
      committed('a', 'orders', 0, 100n),
      committed('b', 'news', 0, 9_007_199_254_740_000n),
    ];
    expect(lagsOf(of, ends, 3)).toEqual({
      lags: [
        { group: 'a', topic: 'orders', lag: 30 },
        { group: 'b', topic: 'news', lag: 993 },
        { group: 'b', topic: 'orders', lag: 2 },
      ],
      omitted: 1,
    });
  });

  it('keeps groups apart whose names have the separators of other code', () => {
    const of = [committed('a b', 'orders', 0, 90n), committed('a', 'orders', 0, 80n)];
    expect(lagsOf(of, ends, 50).lags).toHaveLength(2);
  });
});
