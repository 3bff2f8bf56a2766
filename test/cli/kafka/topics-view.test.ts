import { describe, expect, it } from 'vitest';
import { topicsView } from '../../../cli/kafka/topics-view.js';
import type { KafkaTopicResource } from '../../../imports/index.js';
import { good } from '../status/given-conditions.js';
import { failing, topic } from './given-cluster.js';

describe('the topics of a KafkaCluster', () => {
  it('are sorted by what needs attention', () => {
    const topics = [
      topic('a'),
      topic('z', { conditions: failing('Configured', 'Lost', 'The topic was deleted'), underReplicatedPartitions: 2 }),
      topic('n', { conditions: [...good], topicName: 'news.v1' }),
    ] as unknown as readonly KafkaTopicResource[];
    expect(topicsView(topics)).toEqual([
      'KAFKATOPIC  TOPIC    READY  PARTITIONS  REPLICATION  UNDER-REPLICATED  WHY',
      'z           z        False  3           3            2                 Lost: The topic was deleted',
      'a           a        True   3           3            0',
      'n           news.v1  True   3           3            0',
    ]);
  });

  it('are none if there are none', () => {
    expect(topicsView([])).toEqual(['No KafkaTopics.']);
  });
});
