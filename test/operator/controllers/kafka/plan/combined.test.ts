import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { nodesOf } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import type { ClusterAnswer } from '../../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, member, node, now, planned, told } from '../given-kafka.js';

type Changes = Readonly<Record<number, Partial<KafkaNode>>>;
const old = { revision: 'r0' } as const;
const stopped = { pod: 'none', isReady: false, readySince: undefined } as const;
const down = { isReady: false, readySince: undefined } as const;
const gone = { ...down, isNodeGone: true, unreadySince: now - 61_000 } as const;

/** Brokers that are controllers. */
const brokers = (ids: readonly number[], changes: Changes = {}) =>
  ids.map((id) => node(id, { isCombined: true, ...changes[id] }));
const three = (changes: Changes = {}) => brokers([0, 1, 2], changes);
const voting = (ids: readonly number[], others: Parameters<typeof answer>[0] = {}): ClusterAnswer =>
  answer({ ids, ...others, quorum: { leader: 0, voters: ids.map((id) => member(id)), ...others.quorum } });

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is?: readonly KafkaNode[];
  readonly cluster?: ClusterAnswer | undefined;
  readonly wanted?: number;
  readonly changes?: Partial<Situation>;
}

const planOf = ({ is = three(), cluster = voting([0, 1, 2]), wanted = 3, changes = {} }: Omit<Row, 'steps' | 'when'>) =>
  planned(is, {
    groups: [{ name: 'broker', role: 'broker', isCombined: true, replicas: wanted, revision: 'r1' }],
    cluster,
    ...changes,
  });
const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, when: _, ...given }) => {
    expect(told(planOf(given))).toEqual(steps);
  });

describe('line 1: brokers that are controllers', () => {
  decides([
    {
      steps: ['add: broker 0, broker 1, broker 2'],
      when: 'none exists',
      is: [],
      cluster: undefined,
      changes: { isBootstrapped: false, cluster: undefined },
    },
    { steps: [], when: 'all are as they are wanted' },
    {
      steps: [],
      when: 'one has no volume yet, and the others started with a list of the first voters',
      is: brokers([0, 1], { 0: down, 1: down }),
      changes: { isBootstrapped: false, cluster: undefined },
    },
  ]);

  test('are what they are by the spec, and a pool is not', () => {
    const claim = (name: string) => ({ metadata: { name }, status: {} }) as never;
    const groups = [
      { name: 'broker', role: 'broker' as const, isCombined: true },
      { name: 'large', role: 'broker' as const },
    ];
    const claims = ['events-broker-0', 'events-large-1', 'events-controller-1000'].map(claim);
    const found = nodesOf({ cluster: 'events', groups, pods: [], claims, nodes: [], gone: [], topologyKey: 'zone' });
    expect(found.map(({ id, role, isCombined = false }) => ({ id, role, isCombined }))).toEqual([
      { id: 0, role: 'broker', isCombined: true },
      { id: 1, role: 'broker', isCombined: false },
      { id: 1000, role: 'controller', isCombined: false },
    ]);
  });
});

describe('line 3: a roll of brokers that are voters', () => {
  const blocking = { blocking: 1, blockingNames: ['orders-1'] };
  decides([
    {
      steps: ['replace events-broker-1'],
      when: 'all are outdated: the active controller comes last',
      is: three({ 0: old, 1: old, 2: old }),
    },
    { steps: ['replace events-broker-0'], when: 'the active controller is the last one', is: three({ 0: old }) },
    {
      steps: ['replace events-broker-1'],
      when: 'those of a pool are outdated too: voters come first',
      is: [...three({ 1: old }), node(3, { group: 'large', ...old })],
      cluster: voting([0, 1, 2], {
        ids: [0, 1, 2, 3],
        quorum: { leader: 0, voters: [0, 1, 2].map((id) => member(id)) },
      }),
      changes: {
        groups: [
          { name: 'broker', role: 'broker', isCombined: true, replicas: 3, revision: 'r1' },
          { name: 'large', role: 'broker', replicas: 1, revision: 'r1' },
        ],
      },
    },
    {
      steps: [
        'wait: no node is replaced: without events-broker-1, these partitions would have fewer in-sync replicas than min.insync.replicas: orders-1',
      ],
      when: 'a majority of the voters is left, and too few replicas',
      is: three({ 1: old }),
      cluster: voting([0, 1, 2], { load: { 1: blocking } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-2 lags behind the metadata quorum'],
      when: 'another one serves its partitions, and its controller lags',
      is: three({ 1: old }),
      cluster: voting([0, 1, 2], {
        quorum: { leader: 0, voters: [member(0), member(1), member(2, { logEndOffset: 10 })] },
      }),
    },
    {
      steps: [
        'wait: controller 7 loses its vote when all others are in sync: events-broker-1 is not ready: it loads its log',
        'wait: no node is replaced: events-broker-2 is not ready',
      ],
      when: 'it is fenced and not ready, and its controller may still be needed',
      is: three({ 1: { ...old, ...down }, 2: down }),
      cluster: voting([0, 1, 2], {
        fenced: [1],
        quorum: { leader: 0, voters: [0, 1, 2, 7].map((id) => member(id)) },
      }),
    },
    {
      steps: ['replace events-broker-1'],
      when: 'its container does not run: for free',
      is: three({ 1: { ...old, ...down, trouble: 'the image cannot be pulled' }, 2: down }),
    },
  ]);
});

describe('lines 4 and 5: brokers that leave lose their vote before they stop', () => {
  const five = [0, 1, 2, 3, 4];
  const empty = { 3: { replicas: 0 }, 4: { replicas: 0 } };
  const moves = { partitions: 3, bytes: 10, busiest: 10 };
  decides([
    {
      steps: ['call reassign {"from":[3,4],"onto":[0,1,2],"throttle":1000}'],
      when: 'their replicas have not moved: they keep their votes',
      is: brokers(five),
      cluster: voting(five, { moves }),
    },
    {
      steps: [
        'refuse: broker 1 and 2 cannot be removed: topic orders has 3 replicas, and 1 brokers would remain; lower the replication of the topic, or keep 3 brokers',
      ],
      when: 'the removal is refused: they keep their votes',
      wanted: 1,
    },
    {
      steps: [
        'call removeVoter {"id":3,"directoryId":"disk-3"}',
        'wait: broker 4 has no replicas, and leaves when it has no vote',
      ],
      when: 'their replicas have moved: one after another',
      is: brokers(five),
      cluster: voting(five, { load: empty }),
    },
    {
      steps: [
        'call removeVoter {"id":4,"directoryId":"disk-4"}',
        'wait: broker 4 has no replicas, and leaves when it has no vote',
      ],
      when: 'one of them is the active controller: it comes last',
      is: brokers(five),
      cluster: voting(five, { load: empty, quorum: { leader: 4, voters: [0, 1, 2, 4].map((id) => member(id)) } }),
    },
    {
      steps: ['stop events-broker-4'],
      when: 'they have no votes',
      is: brokers(five),
      cluster: voting(five, {
        load: empty,
        quorum: { leader: 0, voters: [0, 1, 2].map((id) => member(id)), observers: [member(3), member(4)] },
      }),
    },
    {
      steps: [
        'wait: controller 4 loses its vote when all others are in sync: events-broker-1 is not ready',
        'wait: broker 4 has no replicas, and leaves when it has no vote',
      ],
      when: 'one that stopped is a voter, and another one is not ready: it is not unregistered',
      is: brokers([0, 1, 2, 4], { 1: down, 4: stopped }),
      cluster: voting([0, 1, 2, 4], { fenced: [4], load: empty }),
    },
    {
      steps: ['call unregister {"broker":4}'],
      when: 'it has no vote and has stopped',
      is: brokers([0, 1, 2, 4], { 4: stopped }),
      cluster: voting([0, 1, 2, 4], {
        fenced: [4],
        load: empty,
        quorum: { leader: 0, voters: [0, 1, 2].map((id) => member(id)) },
      }),
    },
  ]);

  test('one that stopped before it lost its vote starts again, and one without a vote does not', () => {
    const runs = (voters: readonly number[]) =>
      planOf({
        is: brokers([0, 1, 2, 4], { 4: stopped }),
        cluster: voting([0, 1, 2, 4], { fenced: [4], load: empty, quorum: { voters: voters.map((id) => member(id)) } }),
      }).pods.some(({ id }) => id === 4);
    expect([runs([0, 1, 2, 4]), runs([0, 1, 2])]).toEqual([true, false]);
  });
});

describe('lines 2 and 5: brokers that come get a vote', () => {
  const observing = (ids: readonly number[], observers: readonly number[], lag = 0) =>
    voting([...ids, ...observers], {
      quorum: {
        leader: 0,
        voters: ids.map((id) => member(id)),
        observers: observers.map((id) => member(id, { caughtUpAt: now - lag })),
      },
    });
  decides([
    {
      steps: ['call addVoter {"id":3,"directoryId":"disk-3"}'],
      when: 'they serve and are in sync',
      is: brokers([0, 1, 2, 3, 4]),
      wanted: 5,
      cluster: observing([0, 1, 2], [3, 4]),
    },
    {
      steps: ['wait: controller 3 becomes a voter when it has all records of the metadata'],
      when: 'one lags: not yet',
      is: brokers([0, 1, 2, 3, 4]),
      wanted: 5,
      cluster: observing([0, 1, 2], [3, 4], 5_000),
    },
    {
      steps: [],
      when: 'they are those of a pool: never',
      is: [...three(), node(3, { group: 'large' })],
      cluster: observing([0, 1, 2], [3]),
      changes: {
        groups: [
          { name: 'broker', role: 'broker', isCombined: true, replicas: 3, revision: 'r1' },
          { name: 'large', role: 'broker', replicas: 1, revision: 'r1' },
        ],
      },
    },
    {
      steps: ['retire events-broker-2'],
      when: 'the machine of one is gone: another one takes its place',
      is: three({ 2: gone }),
      cluster: voting([0, 1, 2], { fenced: [2] }),
    },
    {
      steps: [
        'call addVoter {"id":3,"directoryId":"disk-3"}',
        'wait: the replicas of broker 2 are moving to other brokers',
      ],
      when: 'one takes the place of a lost one: more voters come before fewer',
      is: brokers([0, 1, 2, 3], { 2: { ...gone, pod: 'none', retired: 'lost' } }),
      cluster: voting([0, 1, 2, 3], {
        fenced: [2],
        quorum: { leader: 0, voters: [0, 1, 2].map((id) => member(id)), observers: [member(3)] },
      }),
    },
    {
      steps: [
        'call removeVoter {"id":2,"directoryId":"disk-2"}',
        'wait: the replicas of broker 2 are moving to other brokers',
      ],
      when: 'the lost one still has a vote, and its replicas have not moved: it has no broker that could keep it',
      is: brokers([0, 1, 2, 3], { 2: { ...gone, pod: 'none', retired: 'lost' } }),
      cluster: voting([0, 1, 2, 3], { fenced: [2] }),
    },
  ]);
});
