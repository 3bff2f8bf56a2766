import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { ClusterAnswer } from '../../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, node, planned, six, told } from '../given-kafka.js';

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly KafkaNode[];
  readonly cluster?: ClusterAnswer;
}

const pending = { isReady: false, trouble: 'no node can run the Pod: 0/3 nodes are available' } as const;
const starting = { isReady: false } as const;
const empty = { replicas: 0, leaders: 0 };

describe('nodes that leave and do not run', () => {
  test.each<Row>([
    {
      steps: ['stop events-broker-4'],
      when: '5 brokers become 3 again, because no machine has room for two of them',
      is: [...six(), node(3, pending), node(4, pending)],
    },
    {
      steps: ['stop events-broker-3'],
      when: 'one of two empty ones does not run: it waits for nobody, and the other one not for it',
      is: [...six(), node(3, pending), node(4)],
      cluster: answer({ ids: [0, 1, 2, 4], load: { 4: empty } }),
    },
    {
      steps: ['stop events-broker-4'],
      when: 'they start and are not registered yet',
      is: [...six(), node(3, starting), node(4, starting)],
    },
    {
      steps: ['wait: the replicas of broker 3 are moving to other brokers'],
      when: 'it has replicas: its Pod stays',
      is: [...six(), node(3, pending)],
      cluster: answer({ ids: [0, 1, 2, 3], fenced: [3] }),
    },
    {
      steps: ['stop events-controller-1004'],
      when: '5 controllers become 3 again, because no machine has room for two of them',
      is: [...six(), node(1_003, pending), node(1_004, pending)],
    },
  ])('$steps when $when', ({ steps, when: _, is, ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });
});
