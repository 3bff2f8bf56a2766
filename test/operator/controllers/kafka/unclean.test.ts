import { describe, expect, test } from 'vitest';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import {
  uncleanElectionIn,
  uncleanReport,
} from '../../../../operator/controllers/kafka/cluster/annotations/unclean-election.js';
import type { ClusterAnswer, PartitionState } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, now, planned, six, told } from './given-kafka.js';

type Recorded = NonNullable<NonNullable<KafkaClusterResource['status']>['uncleanElection']>;

const resource = (unclean: string | undefined, uncleanElection?: Recorded) =>
  ({
    metadata: { name: 'events', annotations: unclean === undefined ? {} : { 'reconstruct.dev/unclean': unclean } },
    status: { observedGeneration: 1, ...(uncleanElection && { uncleanElection }) },
  }) as unknown as Pick<KafkaClusterResource, 'metadata' | 'status'>;

const partition = (number: number, leader?: number): PartitionState => ({
  ...{ topic: 'orders', partition: number, replicas: [0, 1, 2], inSync: [0, 1] },
  ...(leader !== undefined && { leader }),
});
const recorded = (requested: string, ...numbers: readonly number[]): Recorded => ({
  requested,
  partitions: numbers.map((number) => ({ topic: 'orders', partition: number, inSync: [0, 1] })),
});

/** @param number of the partition that has had a leader since */
const withLeader = (of: Recorded, number: number): Recorded => ({
  ...of,
  partitions: of.partitions.map((one) => (one.partition === number ? { ...one, leader: 2 } : one)),
});

/** The cluster has orders-0 to orders-3. The last two have a leader. */
const offline = answer({ asked: [partition(0), partition(1), partition(2, 2), partition(3, 1)] });

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly unclean?: string;
  readonly is?: Recorded;
  readonly cluster?: ClusterAnswer | undefined;
}

const annotation = 'annotation reconstruct.dev/unclean';

describe('an election of leaders without all records', () => {
  test.each<Row>([
    { steps: [], when: 'nobody asks: partitions without a leader stay so' },
    { steps: [], when: 'the annotation is empty', unclean: ' ' },
    {
      steps: ['wait: orders-0 get leaders without all records'],
      when: 'the status does not have what is lost yet',
      unclean: 'orders-0',
    },
    {
      steps: ['call electUncleanLeaders {"partitions":[{"topic":"orders","partition":0}]}'],
      when: 'the status has it: exactly the named ones',
      ...{ unclean: 'orders-0', is: recorded('orders-0', 0) },
    },
    {
      steps: [
        'call electUncleanLeaders {"partitions":[{"topic":"orders","partition":0},{"topic":"orders","partition":1}]}',
      ],
      when: 'there are several, with spaces and twice the same',
      ...{ unclean: 'orders-0, orders-1,orders-0', is: recorded('orders-0, orders-1,orders-0', 0, 1) },
    },
    {
      steps: [],
      when: 'all have leaders',
      ...{ unclean: 'orders-2', is: recorded('orders-2', 2) },
    },
    {
      steps: [],
      when: 'it took place: the same value counts once, although the partition is offline again',
      ...{ unclean: 'orders-0', is: { ...recorded('orders-0', 0), electedTime: '2026-11-27T11:00:00Z' } },
    },
    {
      steps: ['call electUncleanLeaders {"partitions":[{"topic":"orders","partition":1}]}'],
      when: 'one has had a leader since and is offline again, while another one waits: only that one',
      ...{ unclean: 'orders-0,orders-1', is: withLeader(recorded('orders-0,orders-1', 0, 1), 0) },
    },
    {
      steps: [
        `refuse: ${annotation} names orders-2, which has a leader and loses nothing; name partitions without a leader`,
      ],
      when: 'one of them has a leader: none is elected',
      unclean: 'orders-0,orders-2',
    },
    {
      steps: [`refuse: ${annotation} names orders-7, which Kafka does not have; correct it`],
      when: 'one does not exist',
      unclean: 'orders-0,orders-7',
    },
    {
      steps: [
        `refuse: ${annotation} names "orders", "*", which is no partition; write TOPIC-NUMBER, separated by commas`,
      ],
      when: 'a topic or all are named',
      unclean: 'orders,*,orders-0',
    },
    {
      steps: [`refuse: ${annotation} has 6485 characters; name fewer partitions at once, with at most 4096 characters`],
      when: 'its value is longer than the status can have: the status could not be written any more',
      unclean: Array.from({ length: 32 }, (_, number) => `${'t'.repeat(199)}-${number}`).join(','),
    },
    {
      steps: ['wait: no leader is elected, because the brokers do not answer'],
      when: 'the quorum has no leader',
      ...{
        unclean: 'orders-0',
        is: recorded('orders-0', 0),
        cluster: answer({ ...offline, load: {}, quorum: { leader: -1 } }),
      },
    },
    {
      steps: ['wait: no leader is elected, because the brokers do not answer'],
      when: 'the brokers do not answer',
      ...{ unclean: 'orders-0', is: recorded('orders-0', 0), cluster: undefined },
    },
  ])('$steps when $when', ({ steps, unclean, is, ...given }) => {
    const cluster = 'cluster' in given ? given.cluster : offline;
    const election = uncleanElectionIn(resource(unclean, is), cluster);
    expect(told(planned(six(), { cluster, unclean: election }))).toEqual(steps);
  });
});

describe('the status of an election', () => {
  const reportOf = (given: ReturnType<typeof resource>, cluster = offline) =>
    uncleanReport(given, uncleanElectionIn(given, cluster), now);

  test('has what is lost before the election', () => {
    const { status, events } = reportOf(resource('orders-0,orders-1'));
    expect(status.uncleanElection).toEqual(recorded('orders-0,orders-1', 0, 1));
    expect(events).toEqual([]);
  });

  test('is not written for what is refused', () => {
    expect(reportOf(resource('orders-0,orders-2')).status).toEqual({});
  });

  test('stays while a partition has no leader', () => {
    const is = recorded('orders-0', 0);
    expect(reportOf(resource('orders-0', is))).toEqual({ status: { uncleanElection: is }, events: [] });
  });

  test('has the leaders that there are while another partition waits, so that none is elected twice', () => {
    const is = recorded('orders-0,orders-2', 0, 2);
    const { status, events } = reportOf(resource('orders-0,orders-2', is));
    expect(status.uncleanElection).toEqual(withLeader(is, 2));
    expect(events).toEqual([]);
  });

  test('has the leaders afterwards, and an event for each names what is lost', () => {
    const given = resource('orders-2,orders-3', recorded('orders-2,orders-3', 2, 3));
    const { status, events } = reportOf(given);
    expect(status.uncleanElection).toMatchObject({
      electedTime: '2026-11-27T12:00:00Z',
      partitions: [{ leader: 2 }, { leader: 1 }],
    });
    expect(events).toEqual([
      {
        ...{ type: 'Warning', reason: 'UncleanLeaderElected' },
        note: 'orders-2 is led by broker 2, which may lack acknowledged records: those that only broker 0 and 1 had are lost',
      },
      { type: 'Normal', reason: 'LeaderReturned', note: 'orders-3 is led by broker 1 with all records' },
    ]);
  });

  test('forgets the value when the annotation is removed, so that it can be set again', () => {
    const done = { ...recorded('orders-0', 0), electedTime: '2026-11-27T11:00:00Z' };
    const { uncleanElection } = reportOf(resource(undefined, done)).status;
    expect(uncleanElection).toEqual({ partitions: done.partitions, electedTime: done.electedTime });
    const again = reportOf(resource('orders-0', uncleanElection)).status.uncleanElection;
    expect(again).toEqual(recorded('orders-0', 0));
  });
});
