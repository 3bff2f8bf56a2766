import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, node, now, planned, six, told } from '../given-kafka.js';

interface Row extends Partial<Omit<Situation, 'nodes'>> {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is?: readonly KafkaNode[];
  readonly brokers?: number;
}

const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, when: _, is = six(), ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });

describe('line 4: new brokers', () => {
  const five = [...six(), node(3), node(4)];
  const ids = [0, 1, 2, 3, 4];
  const none = { replicas: 0, leaders: 0 };
  const moves = { partitions: 6, bytes: 10, busiest: 10 };
  decides([
    {
      steps: ['call reassign {"from":[],"onto":[0,1,2,3,4],"throttle":1000}'],
      when: 'they have no replica',
      ...{ is: five, brokers: 5, cluster: answer({ ids, load: { 3: none, 4: none }, moves }) },
    },
    {
      steps: [],
      when: 'spec.rebalance.triggers is empty',
      ...{ is: five, brokers: 5, rebalances: false, cluster: answer({ ids, load: { 3: none, 4: none }, moves }) },
    },
    {
      steps: ['wait: 6 partitions are moving'],
      when: 'replicas are moving',
      ...{ is: five, brokers: 5, cluster: answer({ ids, moves, partitions: { reassigning: 6 } }) },
    },
    {
      steps: ['call unthrottle {}'],
      when: 'all have moved, and replication is still limited',
      cluster: answer({ throttle: 1_000 }),
    },
    {
      steps: [],
      when: 'a new broker is not registered yet',
      ...{ is: [...six(), node(3, { isReady: false })], brokers: 4, cluster: answer({ moves }) },
    },
  ]);
});

describe('dynamic properties', () => {
  const config = { 'min.insync.replicas': '2' };
  decides([
    {
      steps: ['call configure {"set":{"min.insync.replicas":"2"},"remove":[]}'],
      when: 'one is missing',
      config,
    },
    {
      steps: ['call configure {"set":{"min.insync.replicas":"2"},"remove":["log.retention.ms"]}'],
      when: 'one differs, and one is not in the spec',
      ...{ config, cluster: answer({ config: { 'min.insync.replicas': '1', 'log.retention.ms': '5' } }) },
    },
    { steps: [], when: 'all are set', ...{ config, cluster: answer({ config }) } },
    { steps: [], when: 'the brokers do not answer', ...{ config, cluster: undefined } },
  ]);
});

describe('line 6: a version', () => {
  const before = { metadataVersion: { finalized: 30, minimum: 7, maximum: 33 } };
  const due = now - 1_000;
  decides([
    {
      steps: ['call finalize {"level":33}'],
      when: 'every node runs it and the time has come',
      ...{ cluster: answer(before), finalization: { level: 33, due } },
    },
    {
      steps: ['wait: the version is finalized after spec.finalize.after'],
      when: 'the time has not come',
      ...{ cluster: answer(before), finalization: { level: 33, due: now + 1_000 } },
    },
    {
      steps: ['wait: the version is finalized when a person approves it'],
      when: 'a person has to approve it',
      ...{ cluster: answer(before), finalization: { level: 33 } },
    },
    {
      steps: ['wait: the version is finalized when every registered node supports it'],
      when: 'a registered node is older',
      cluster: answer({ metadataVersion: { finalized: 30, minimum: 7, maximum: 30 } }),
      finalization: { level: 33, due },
    },
    {
      steps: ['replace events-broker-1'],
      when: 'a node runs the earlier one',
      is: six({ 1: { revision: 'r0' } }),
      ...{ cluster: answer(before), finalization: { level: 33, due } },
    },
    {
      steps: [],
      when: 'nobody knows whether it is final',
      ...{ cluster: answer({ metadataVersion: { minimum: 7, maximum: 33 } }), finalization: { level: 33, due } },
    },
    {
      steps: [],
      when: 'it is final',
      finalization: { level: 33, due },
    },
  ]);
});

test('a reconcile acts at most once', () => {
  const cluster = answer({
    ...{
      metadataVersion: { finalized: 30, minimum: 7, maximum: 33 },
      config: { 'leader.replication.throttled.rate': '1' },
    },
  });
  const { steps } = planned(six({ 0: { revision: 'r0' } }), {
    ...{ cluster, config: { 'min.insync.replicas': '2' }, finalization: { level: 33, due: now } },
  });
  expect(steps.filter(({ act }) => act !== 'wait')).toHaveLength(1);
});
