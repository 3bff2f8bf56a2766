import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, member, node, now, planned, six, stopped, told } from '../given-kafka.js';

const empty = { replicas: 0, leaders: 0 };

interface Row extends Partial<Omit<Situation, 'nodes'>> {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly KafkaNode[];
  readonly brokers?: number;
  readonly controllers?: number;
}

const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, when: _, is, ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });

describe('nodes that do not exist', () => {
  decides([
    {
      steps: ['add: controller 1000, controller 1001, controller 1002, broker 0, broker 1, broker 2'],
      when: 'the cluster is new',
      is: [],
      cluster: undefined,
      isBootstrapped: false,
    },
    {
      steps: ['add: controller 1002'],
      when: 'the operator was killed between the first volumes',
      is: [node(1_000, stopped), node(1_001, stopped), ...[0, 1, 2].map((id) => node(id, stopped))],
      cluster: undefined,
      isBootstrapped: false,
    },
    {
      steps: [],
      when: 'a first controller has started: those who format know each other',
      is: [node(1_000), node(1_001), ...[0, 1, 2].map((id) => node(id))],
      cluster: undefined,
      isBootstrapped: false,
    },
    { steps: ['add: broker 3, broker 4'], when: '3 become 5', is: six(), brokers: 5 },
    {
      steps: ['wait: New nodes are created when the brokers answer, because only they know the IDs that are used'],
      when: 'a volume was deleted and the brokers do not answer: its ID may be registered',
      is: six().filter(({ id }) => id !== 2),
      cluster: undefined,
    },
    {
      steps: ['add: broker 0, broker 1, broker 2'],
      when: 'no broker is left that could answer',
      is: six().filter(({ role }) => role === 'controller'),
      cluster: undefined,
    },
    {
      steps: ['add: broker 9', 'wait: broker 8 is unregistered when the controllers see that it stopped'],
      when: 'an id is still registered or retired: it is not reused',
      is: [...six(), node(7, { ...stopped, retired: 'removed' })],
      cluster: answer({ ids: [0, 1, 2, 8], load: { 8: empty } }),
      brokers: 4,
    },
  ]);
});

describe('line 4: brokers that leave', () => {
  const five = [...six(), node(3), node(4)];
  const ids = [0, 1, 2, 3, 4];
  const moves = { partitions: 4, bytes: 1, busiest: 1 };
  decides([
    {
      steps: ['call reassign {"from":[3,4],"onto":[0,1,2],"throttle":1000}'],
      when: 'they have replicas',
      is: five,
      cluster: answer({ ids, moves }),
    },
    {
      steps: ['wait: the replicas of broker 3 and 4 are moving to other brokers'],
      when: 'all have begun to move',
      is: five,
      cluster: answer({ ids, moves: { partitions: 0, bytes: 0, busiest: 0 }, partitions: { reassigning: 4 } }),
    },
    {
      steps: ['stop events-broker-4'],
      when: 'the metadata has no replica on one of them',
      is: five,
      cluster: answer({ ids, load: { 4: empty }, moves }),
    },
    {
      steps: ['wait: events-broker-4 is not stopped: events-broker-0 is not ready'],
      when: 'another broker is down',
      is: [...six({ 0: { isReady: false } }), node(3), node(4)],
      cluster: answer({ ids, load: { 4: empty }, moves }),
    },
    {
      steps: ['wait: broker 4 is unregistered when the controllers see that it stopped'],
      when: 'it has stopped, and is not fenced yet',
      is: [...six(), node(3), node(4, stopped)],
      cluster: answer({ ids, load: { 3: {}, 4: empty } }),
    },
    {
      steps: ['call unregister {"broker":4}'],
      when: 'it has stopped and is fenced',
      is: [...six(), node(3), node(4, stopped)],
      cluster: answer({ ids, fenced: [4], load: { 4: empty } }),
    },
    {
      steps: ['call unregister {"broker":4}'],
      when: 'it has stopped, and another one has no replicas either: one leaves before the next stops',
      is: [...six(), node(3), node(4, stopped)],
      cluster: answer({ ids, fenced: [4], load: { 3: empty, 4: empty } }),
    },
    {
      steps: ['retire events-broker-4'],
      when: 'it is not registered any more',
      is: [...six(), node(3), node(4, stopped)],
      cluster: answer({ ids: [0, 1, 2, 3] }),
    },
    {
      steps: ['wait: events-broker-4 starts again, because partitions still have replicas on it'],
      when: 'somebody unregistered it while it had replicas: its volume is not retired',
      is: [...six(), node(3), node(4, stopped)],
      cluster: answer({ ids, brokers: [0, 1, 2, 3].map((id) => ({ id, isFenced: false })) }),
    },
    {
      steps: [
        'refuse: broker 2 cannot be removed: topic orders has 3 replicas, and 2 brokers would remain; lower the replication of the topic, or keep 3 brokers',
      ],
      when: 'fewer brokers than replicas would remain',
      is: six(),
      brokers: 2,
    },
    {
      steps: ['wait: no broker is removed, because the brokers do not answer'],
      when: 'the brokers do not answer',
      is: five,
      cluster: undefined,
    },
  ]);

  const drained = { isDrained: true } as const;
  const four = [...six({ 1: drained }), node(3)];
  const ofFour = { ids: [0, 1, 2, 3], moves };
  decides([
    {
      steps: ['call reassign {"from":[1],"onto":[0,2,3],"throttle":1000}'],
      when: 'a person drains one of four',
      ...{ is: four, brokers: 4, cluster: answer(ofFour) },
    },
    {
      steps: ['wait: the replicas of broker 1 are moving to other brokers', 'wait: 4 partitions are moving'],
      when: 'the replicas of the drained one move',
      ...{ is: four, brokers: 4 },
      cluster: answer({ ...ofFour, moves: { partitions: 0, bytes: 0, busiest: 0 }, partitions: { reassigning: 4 } }),
    },
    {
      steps: [],
      when: 'the drained one is empty: it gets no share, and goes on to run',
      ...{ is: four, brokers: 4, cluster: answer({ ...ofFour, load: { 1: empty } }) },
    },
    {
      steps: ['stop events-broker-1'],
      when: 'one of four leaves: the drained one, although its id is not the highest',
      ...{ is: four, brokers: 3, cluster: answer({ ...ofFour, load: { 1: empty } }) },
    },
    {
      steps: ['call reassign {"from":[4,1],"onto":[0,2,3],"throttle":1000}'],
      when: 'a drained one stays and another leaves: one request moves all',
      is: [...six({ 1: drained }), node(3), node(4, { group: 'pool', name: 'events-pool-4' })],
      brokers: 4,
      cluster: answer({ ids: [0, 1, 2, 3, 4], moves }),
    },
    {
      steps: [
        'refuse: broker 1 cannot be drained: topic orders has 3 replicas, and 2 brokers would remain; lower the replication of the topic, or keep 3 brokers',
      ],
      when: 'fewer brokers than replicas would remain beside the drained one',
      is: six({ 1: drained }),
    },
  ]);

  test('one that has replicas keeps its Pod, and one that was stopped does not start again', () => {
    const cluster = answer({ ids, load: { 4: empty }, fenced: [4] });
    const { pods } = planned([...six(), node(3), node(4, stopped)], { cluster });
    expect(pods.map(({ id }) => id)).toEqual([0, 1, 2, 1000, 1001, 1002, 3]);
  });
});

describe('line 2: a broker whose machine was deleted', () => {
  const gone = { isReady: false, isNodeGone: true, unreadySince: now - 90_000 } as const;
  decides([
    {
      steps: ['retire events-broker-2'],
      when: 'it is fenced, all others serve, and the time has passed',
      is: six({ 2: gone }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: [
        'wait: The volume of events-broker-2 is on a node that no longer exists; it is replaced unless it returns within spec.replaceAfter',
      ],
      when: 'the time has not passed',
      is: six({ 2: { ...gone, unreadySince: now - 10_000 } }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: [
        'wait: The volume of events-broker-2 is on a node that no longer exists, but the controllers still see it',
      ],
      when: 'the controllers see it: a proof contradicts the other',
      is: six({ 2: gone }),
    },
    {
      steps: [
        'wait: The volume of events-broker-2 is on a node that no longer exists; the replacement waits, because events-broker-1 is not ready',
      ],
      when: 'another broker is down too',
      is: six({ 1: { isReady: false }, 2: gone }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: ['retire events-broker-2'],
      when: 'a controller was on the same machine: they do not wait for each other',
      is: six({ 2: gone, 1002: gone }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: ['retire events-controller-1002'],
      when: 'the replacement of its broker serves: the controller is next',
      is: [...six({ 2: { ...gone, ...stopped, retired: 'lost' }, 1002: gone }), node(3)],
      cluster: answer({ ids: [0, 1, 3] }),
    },
    {
      steps: ['retire events-broker-1'],
      when: 'the machine of another broker was deleted too, and every partition has a leader',
      is: six({ 1: gone, 2: gone }),
      cluster: answer({ fenced: [1, 2] }),
    },
    {
      steps: [
        'wait: The volume of events-broker-1 is on a node that no longer exists; the replacement waits, because events-broker-2 is not ready',
      ],
      when: 'the machines of two brokers were deleted, and partitions have no leader',
      is: six({ 1: gone, 2: gone }),
      cluster: answer({ fenced: [1, 2], partitions: { offline: 1 } }),
    },
    {
      steps: ['add: broker 3', 'wait: the replicas of broker 2 move when all others serve: brokers are missing'],
      when: 'its volume is retired: another id takes its place',
      is: six({ 2: { ...gone, ...stopped, retired: 'lost' } }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: ['call reassign {"from":[2],"onto":[0,1,3],"throttle":1000}'],
      when: 'the new broker serves',
      is: [...six({ 2: { ...gone, ...stopped, retired: 'lost' } }), node(3)],
      cluster: answer({ ids: [0, 1, 2, 3], fenced: [2], moves: { partitions: 3, bytes: 0, busiest: 0 } }),
    },
  ]);
});

describe('line 5: controllers', () => {
  const voters = [1_000, 1_001, 1_002].map((id) => member(id));
  const five = [...six(), node(1_003), node(1_004)];
  decides([
    {
      steps: ['call addVoter {"id":1003,"directoryId":"disk-1003"}'],
      when: 'a new one is in sync',
      is: five,
      controllers: 5,
      cluster: answer({ quorum: { voters, observers: [member(1_003), member(1_004)] } }),
    },
    {
      steps: [
        'wait: controller 1003 becomes a voter when it is in sync: events-controller-1003 lags behind the metadata quorum',
      ],
      when: 'a new one lags behind',
      is: five,
      controllers: 5,
      cluster: answer({ quorum: { voters, observers: [member(1_003, { logEndOffset: 1 })] } }),
    },
    {
      steps: ['wait: controller 1003 becomes a voter when it has all records of the metadata'],
      when: 'a new one last had all records ten seconds ago, although few are missing',
      is: five,
      controllers: 5,
      cluster: answer({ quorum: { voters, observers: [member(1_003, { caughtUpAt: now - 10_000 })] } }),
    },
    {
      steps: ['wait: controller 1003 becomes a voter when it has all records of the metadata'],
      when: 'it is not known when a new one had all records',
      is: five,
      controllers: 5,
      cluster: answer({ quorum: { voters, observers: [{ id: 1_003, directoryId: 'new', logEndOffset: 5_000 }] } }),
    },
    {
      steps: ['call removeVoter {"id":1003,"directoryId":"disk-1003"}'],
      when: 'five become three: the one that does not lead',
      is: five,
      cluster: answer({ quorum: { leader: 1_004, voters: [...voters, member(1_003), member(1_004)] } }),
    },
    {
      steps: ['wait: controller 1003 loses its vote when all others are in sync: events-controller-1001 is not ready'],
      when: 'another voter is down',
      is: [...six({ 1001: { isReady: false } }), node(1_003)],
      cluster: answer({ quorum: { voters: [...voters, member(1_003)] } }),
    },
    {
      steps: ['stop events-controller-1003'],
      when: 'it has no vote',
      is: [...six(), node(1_003)],
    },
    {
      steps: ['wait: events-controller-1003 has no vote and is not stopped: events-broker-1 is not ready'],
      when: 'it has no vote, and another node is down',
      is: [...six({ 1: { isReady: false } }), node(1_003)],
    },
    {
      steps: ['retire events-controller-1003'],
      when: 'it has no vote and has stopped',
      is: [...six(), node(1_003, stopped)],
    },
    {
      steps: ['call removeVoter {"id":1002,"directoryId":"disk-1002"}'],
      when: 'one has another disk: the old vote goes first',
      is: six(),
      cluster: answer({ quorum: { voters, observers: [member(1_002, { directoryId: 'new' })] } }),
    },
    {
      steps: ['call addVoter {"id":1002,"directoryId":"new"}'],
      when: 'the old vote is gone',
      is: six(),
      cluster: answer({ quorum: { voters: voters.slice(0, 2), observers: [member(1_002, { directoryId: 'new' })] } }),
    },
    {
      steps: [],
      when: 'brokers are observers too',
      is: six(),
      cluster: answer({ quorum: { voters, observers: [member(0), member(1)] } }),
    },
  ]);
});
