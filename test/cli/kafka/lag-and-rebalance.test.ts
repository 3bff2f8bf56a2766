import { describe, expect, it } from 'vitest';
import { lagView } from '../../../cli/kafka/lag-view.js';
import { rebalanceView } from '../../../cli/kafka/rebalance-view.js';
import { condition } from '../status/given-conditions.js';
import { withStatus } from './given-cluster.js';

const view = (status: object) => lagView(withStatus(status).kafka);

describe('the lag of consumer groups', () => {
  it('is a table, the worst first', () => {
    const consumerGroups = [
      { group: 'bill', topic: 'orders', lag: 3 },
      { group: 'mail\u001b[2J', topic: 'orders', lag: 1200 },
    ];
    expect(view({ consumerGroups, consumerGroupsOmitted: 0 })).toEqual([
      'GROUP          TOPIC   LAG',
      'mail\\u001b[2J  orders  1200',
      'bill           orders  3',
    ]);
    expect(view({ consumerGroups, consumerGroupsOmitted: 7 }).at(-1)).toBe('7 more with a smaller lag');
  });

  it.each([
    { line: 'No consumer group has committed an offset.', when: 'there are no groups', status: { consumerGroups: [] } },
    {
      line: 'The lag is not known, because the brokers have not answered; see reconstruct status kafkacluster events -n shop',
      when: 'the brokers do not answer',
      status: {},
    },
  ])('is "$line" when $when', ({ line, status }) => {
    expect(view(status)).toEqual([line]);
  });
});

describe('a rebalance', () => {
  const moving = { conditions: [condition('Balanced', 'Unknown', 'Moving', 'Broker 3 gets replicas')] };
  it.each([
    { size: '0 B', bytes: 0 },
    { size: '1023 B', bytes: 1023 },
    { size: '1.5 GiB', bytes: 1.5 * 1024 ** 3 },
    { size: '3000 TiB', bytes: 3000 * 1024 ** 4 },
  ])('of $size is shown with its time and limit', ({ size, bytes }) => {
    const rebalance = { partitions: 12, bytes, estimatedSeconds: 65 };
    expect(rebalanceView(withStatus({ ...moving, rebalance }).kafka)).toEqual([
      'Balanced Moving: Broker 3 gets replicas',
      `Plan: 12 partitions, ${size}, about 1m5s at 50Mi per second and broker`,
    ]);
  });

  it.each([
    { first: 'Balanced: not reported yet', when: 'nothing is reported', status: { conditions: [] } },
    { first: 'Balanced Moving: Broker 3 gets replicas', when: 'the brokers have not told their sizes', status: moving },
  ])('has no plan when $when', ({ first, status }) => {
    expect(rebalanceView(withStatus(status).kafka)).toEqual([first, 'No moves are planned.']);
  });
});
