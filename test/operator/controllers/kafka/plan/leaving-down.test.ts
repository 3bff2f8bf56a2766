import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { ClusterAnswer } from '../../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, member, node, planned, six, told } from '../given-kafka.js';

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly KafkaNode[];
  readonly cluster?: ClusterAnswer;
  readonly controllers?: number;
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

describe('votes of controllers that do not run', () => {
  const quorum = (...ids: readonly number[]) => ({ quorum: { voters: ids.map((id) => member(id)) } });
  const ofFive = [1_000, 1_001, 1_002, 1_003, 1_004];
  test.each<Row>([
    {
      steps: ['call removeVoter {"id":1003,"directoryId":"disk-1003"}'],
      when: 'the machines of two of five were deleted, and others have their votes: they do not wait for each other',
      is: [...six(), node(1_005), node(1_006)],
      controllers: 5,
      cluster: answer(quorum(...ofFive, 1_005, 1_006)),
    },
    {
      steps: ['call removeVoter {"id":1003,"directoryId":"disk-1003"}'],
      when: 'five become three, and both that leave are down',
      is: [...six(), node(1_003, pending), node(1_004, pending)],
      cluster: answer(quorum(...ofFive)),
    },
    {
      steps: ['call removeVoter {"id":1004,"directoryId":"disk-1004"}'],
      when: 'five become three: the one that is down first, because the other one counts for the majority',
      is: [...six(), node(1_003), node(1_004, pending)],
      cluster: answer(quorum(...ofFive)),
    },
    {
      steps: ['wait: controller 1003 loses its vote when all others are in sync: events-controller-1001 is not ready'],
      when: 'one that stays is down',
      is: [...six({ 1001: { isReady: false } }), node(1_003), node(1_004)],
      cluster: answer(quorum(...ofFive)),
    },
  ])('$steps when $when', ({ steps, when: _, is, ...changes }) => {
    expect(told(planned(is, changes)).slice(0, 1)).toEqual(steps);
  });
});
