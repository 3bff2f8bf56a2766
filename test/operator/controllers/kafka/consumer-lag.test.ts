import { describe, expect, it } from 'vitest';
import { consumerGroupLimits } from '../../../../crds/index.js';
import { consumerLagOf } from '../../../../operator/controllers/kafka/cluster/consumer-lag.js';
import { metrics } from '../../../../operator/controllers/kafka/cluster/metrics.js';
import type { GroupLag } from '../../../../operator/controllers/kafka/ports/consumers.js';
import { awaited } from '../../../../operator/runtime/controller/polls.js';

type Asked = Parameters<typeof consumerLagOf>[1];

const lag = (of: number, group = 'shop'): GroupLag => ({ group, topic: 'orders', lag: of });
const told = (lags: readonly GroupLag[], omitted = 0) =>
  ({ known: true, value: { lags, omitted } }) as unknown as Asked;
const unreported = {} as never;
const reported = (of: number) => ({ status: { consumerGroups: [lag(of)], consumerGroupsOmitted: 0 } }) as never;

describe('the consumer lag in the status', () => {
  it.each([
    { shown: 7, when: 'it is small', now: 7 },
    { shown: 99, when: 'it has two digits', now: 99 },
    { shown: 1_200, when: 'it has more digits', now: 1_234 },
    { shown: 0, when: 'the group has read everything', now: 0 },
    { shown: 1_000, when: 'it differs a little from the reported one', before: 1_000, now: 1_250 },
    { shown: 1_300, when: 'it differs more', before: 1_000, now: 1_251 },
    { shown: 740, when: 'it differs more, and is smaller', before: 1_000, now: 744 },
    { shown: 0, when: 'the group has caught up', before: 1, now: 0 },
    { shown: 1, when: 'the group falls behind', before: 0, now: 1 },
  ])('is $shown when $when', ({ shown, before, now }) => {
    const resource = before === undefined ? unreported : reported(before);
    expect(consumerLagOf(resource, told([lag(now)]))).toEqual({
      ...{ consumerGroups: [lag(shown)], consumerGroupsOmitted: 0 },
    });
  });

  it('counts the groups that it leaves out', () => {
    const long = 'x'.repeat(consumerGroupLimits.name);
    expect(consumerLagOf(unreported, told([lag(5, `${long}x`), lag(5, long)], 3))).toEqual({
      ...{ consumerGroups: [lag(5, long)], consumerGroupsOmitted: 4 },
    });
  });

  it.each([
    { when: 'nothing is asked', polled: undefined },
    { when: 'the brokers do not answer', polled: { known: false, why: 'timeout', since: 0 } },
  ])('is absent when $when', ({ polled }) => {
    expect(consumerLagOf(reported(5), polled as unknown as Asked)).toEqual({});
  });

  it('stays while the answer to another question is awaited', () => {
    const polled = { known: false, why: awaited.noAnswer, since: 0 } as unknown as Asked;
    expect(consumerLagOf(reported(5), polled)).toEqual({ consumerGroups: [lag(5)], consumerGroupsOmitted: 0 });
    expect(consumerLagOf(unreported, polled)).toEqual({});
  });

  it('is a metric by group and topic', () => {
    const { valueFrom } = metrics.kafka_consumergroup_lag;
    expect(valueFrom(reported(5))).toEqual([{ labels: { consumergroup: 'shop', topic: 'orders' }, value: 5 }]);
    expect(valueFrom({ status: {} } as never)).toBeUndefined();
  });
});

describe('the metric of the fullest volume', () => {
  const { valueFrom } = metrics.reconstruct_kafka_volume_used_ratio;
  it.each([
    { value: 0.85, when: 'brokers report theirs', nodes: [{ usedPercent: 40 }, {}, { usedPercent: 85 }] },
    { value: undefined, when: 'no broker reports it', nodes: [{}] },
  ])('is $value when $when', ({ value, nodes }) => {
    expect(valueFrom({ status: { nodes } } as never)).toBe(value);
  });
});
