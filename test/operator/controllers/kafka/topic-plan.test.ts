import { describe, expect, test } from 'vitest';
import { kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import type { KafkaTopicResource } from '../../../../imports/index.js';
import type { TopicState } from '../../../../operator/controllers/kafka/ports/topics.js';
import { topicStep } from '../../../../operator/controllers/kafka/topic/plan.js';

interface Given {
  readonly spec?: object;
  readonly id?: string;
  readonly isDeleting?: boolean;
}

function topic({ spec = {}, id, isDeleting }: Given): KafkaTopicResource {
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaTopic' },
    metadata: { name: 'orders', namespace: 'shop', ...(isDeleting && { deletionTimestamp: '2026-11-27T00:00:00Z' }) },
    spec: withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, ...spec }),
    ...(id !== undefined && { status: { topicId: id } }),
  } as unknown as KafkaTopicResource;
}

const found = (changes: Partial<TopicState> = {}): TopicState => ({
  ...{ id: 'one', partitions: 3, replication: 3, config: {}, underReplicated: 0 },
  ...changes,
});

describe('the next step of a topic', () => {
  test.each<{ is: object | string; when: string; given: Given; has: TopicState | undefined }>([
    {
      is: { act: 'create', partitions: 3, replication: 3, config: {} },
      when: 'there is none',
      given: {},
      has: undefined,
    },
    { is: 'nothing', when: 'it is as the spec wants it', given: { id: 'one' }, has: found() },
    { is: 'nothing', when: 'somebody else created it: it is adopted', given: {}, has: found() },
    { is: 'lost', when: 'it was deleted', given: { id: 'one' }, has: undefined },
    { is: 'lost', when: 'another one has its name', given: { id: 'one' }, has: found({ id: 'two' }) },
    {
      is: { act: 'create', partitions: 3, replication: 3, config: {} },
      when: 'it was deleted, and the spec wants an empty one',
      given: { id: 'one', spec: { onLoss: 'Recreate' } },
      has: undefined,
    },
    {
      is: { act: 'configure', set: { 'retention.ms': '5' }, remove: ['segment.ms'] },
      when: 'properties differ',
      given: { id: 'one', spec: { config: { 'retention.ms': '5' } } },
      has: found({ config: { 'segment.ms': '1', 'retention.ms': '4' } }),
    },
    {
      is: { act: 'addPartitions', partitions: 6 },
      when: 'Kafka answers with another text of the same properties: the rest is changed too',
      given: {
        id: 'one',
        spec: {
          partitions: 6,
          config: {
            ...{ 'cleanup.policy': 'compact, delete', 'min.cleanable.dirty.ratio': '0.50', 'retention.ms': '-1' },
            ...{ preallocate: 'True', 'retention.bytes': ' 09223372036854775806' },
          },
        },
      },
      has: found({
        config: {
          ...{ 'cleanup.policy': 'compact,delete', 'min.cleanable.dirty.ratio': '0.5', 'retention.ms': '-1' },
          ...{ preallocate: 'true', 'retention.bytes': '9223372036854775806' },
        },
      }),
    },
    {
      is: { act: 'configure', set: { 'retention.ms': '-1', 'retention.bytes': '9223372036854775807' }, remove: [] },
      when: 'numbers differ by their sign or their last digit',
      given: { id: 'one', spec: { config: { 'retention.ms': '-1', 'retention.bytes': '9223372036854775807' } } },
      has: found({ config: { 'retention.ms': '1', 'retention.bytes': '9223372036854775806' } }),
    },
    {
      is: 'nothing',
      when: 'a reassignment limits its replication',
      given: { id: 'one' },
      has: found({ config: { 'leader.replication.throttled.replicas': '0:1' } }),
    },
    {
      is: { act: 'addPartitions', partitions: 6 },
      when: 'it has fewer partitions',
      given: { spec: { partitions: 6 } },
      has: found(),
    },
    { is: 'fewer', when: 'it has more partitions', given: { spec: { partitions: 1 } }, has: found() },
    {
      is: { act: 'replicate', replication: 2 },
      when: 'it has more replicas',
      given: { spec: { replication: 2 } },
      has: found(),
    },
    { is: 'nothing', when: 'it is to be kept', given: { id: 'one', isDeleting: true }, has: found() },
    {
      is: { act: 'delete', id: 'one' },
      when: 'it is to be deleted',
      given: { id: 'one', isDeleting: true, spec: { deletionPolicy: 'Delete' } },
      has: found(),
    },
    {
      is: 'nothing',
      when: 'it is to be deleted, and another one has its name',
      given: { id: 'one', isDeleting: true, spec: { deletionPolicy: 'Delete' } },
      has: found({ id: 'two' }),
    },
    {
      is: 'nothing',
      when: 'it is to be deleted, and the resource never had it',
      given: { isDeleting: true, spec: { deletionPolicy: 'Delete' } },
      has: found(),
    },
  ])('is $is when $when', ({ is, given, has }) => {
    const step = topicStep(topic(given), has);
    expect(step.does === 'act' ? step.request : step.does).toEqual(is);
  });
});
