import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import type { ClusterAnswer } from '../../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, member, node, now, planned, six, told } from '../given-kafka.js';

const old = { revision: 'r0' } as const;
const down = { isReady: false } as const;
const broken = { isReady: false, trouble: 'container kafka: the image x cannot be pulled' } as const;
const unclaimed = { missingClaim: 'events-broker-2-fast' } as const;
const waits =
  'wait: no node is replaced: events-broker-2 has to start with PersistentVolumeClaim events-broker-2-fast, which does not exist';
const all = (changes: Partial<KafkaNode>) =>
  six({ 0: changes, 1: changes, 2: changes, 1000: changes, 1001: changes, 1002: changes });
const brokers = (changes: Partial<KafkaNode>) => six({ 0: changes, 1: changes, 2: changes });

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly KafkaNode[];
  readonly cluster?: ClusterAnswer | undefined;
  readonly silence?: string;
  readonly controllers?: number;
  readonly restart?: Situation['restart'];
}

const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, when: _, is, ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });

describe('a node that is outdated', () => {
  decides([
    { steps: [], when: 'none is', is: six() },
    { steps: ['replace events-controller-1001'], when: 'all are: a controller that does not lead', is: all(old) },
    { steps: ['replace events-broker-0'], when: 'brokers are', is: brokers(old) },
    {
      steps: ['replace events-controller-1000'],
      when: 'the leader of the quorum alone is: it comes last',
      is: six({ 1000: old }),
    },
    {
      steps: ['replace events-broker-2'],
      when: 'the leader of the quorum and a broker are',
      is: six({ 1000: old, 2: old }),
    },
    {
      steps: [
        'call removeVoter {"id":1002,"directoryId":"disk-1002"}',
        'wait: no node is replaced: too few voters of the metadata quorum run',
      ],
      when: 'a controller is, and two voters of four have no Pod',
      is: [0, 1, 2, 1_000, 1_001].map((id) => node(id, id === 1_001 ? old : {})),
      controllers: 2,
      cluster: answer({ quorum: { voters: [1_000, 1_001, 1_002, 1_003].map((id) => member(id)) } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-1 became ready after the last answer of the brokers'],
      when: 'the answer may show the replicas of another broker before its restart',
      is: six({ 0: old, 1: { readySince: now - 1_000 } }),
    },
    {
      steps: ['replace events-broker-0'],
      when: 'another broker was ready when the brokers were asked',
      is: six({ 0: old, 1: { readySince: now - 4_000 } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-1 is not ready'],
      when: 'another broker is not ready',
      is: six({ 0: old, 1: down }),
    },
    {
      steps: ['wait: no node is replaced: events-controller-1002 is not ready'],
      when: 'a controller is not ready',
      is: six({ 0: old, 1002: down }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-1 does not serve yet'],
      when: 'the controllers do not see another broker',
      is: six({ 0: old }),
      cluster: answer({ fenced: [1] }),
    },
    {
      steps: ['wait: no node is replaced: events-controller-1002 lags behind the metadata quorum'],
      when: 'a controller lags behind',
      is: six({ 0: old }),
      cluster: answer({ quorum: { voters: [member(1_000), member(1_001), member(1_002, { logEndOffset: 10 })] } }),
    },
    {
      steps: [
        'wait: no node is replaced: without events-broker-0, these partitions would have fewer in-sync replicas than min.insync.replicas: orders-1, orders-2 and 5 more',
      ],
      when: 'partitions would fall below min.insync.replicas',
      is: six({ 0: old }),
      cluster: answer({ load: { 0: { blocking: 7, blockingNames: ['orders-1', 'orders-2'] } } }),
    },
    {
      steps: [
        'wait: no node is replaced: min.insync.replicas cannot be read for topics with a replica on events-broker-0: orders and 6 more',
      ],
      when: 'nobody knows min.insync.replicas of topics: unknown is not 1',
      is: six({ 0: old }),
      cluster: answer({ load: { 0: { unknownMinIsr: 7, unknownMinIsrTopics: ['orders'] } } }),
    },
    {
      steps: ['wait: no node is replaced: the finalized level of metadata.version cannot be read'],
      when: 'nobody knows which version can read the metadata',
      is: six({ 0: old }),
      cluster: answer({ metadataVersion: { minimum: 7, maximum: 33 } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-1 became ready after the last answer of the brokers'],
      when: 'nobody knows since when another broker is ready',
      is: six({ 0: old, 1: { readySince: undefined } }),
    },
    {
      steps: [
        'wait: events-broker-0 is restarted next, which interrupts partitions without a replica to spare: logs-0 and 3 more',
      ],
      when: 'a topic has one replica: that is told first',
      is: six({ 0: old }),
      cluster: answer({ load: { 0: { unreplicated: 4, unavoidable: 4, blocking: 4, blockingNames: ['logs-0'] } } }),
    },
    {
      steps: ['replace events-broker-0'],
      when: 'a topic has one replica, and the status tells: that does not block for ever',
      restart: { node: 'events-broker-0', target: 'r1' },
      is: six({ 0: old }),
      cluster: answer({ load: { 0: { unreplicated: 4, unavoidable: 4, blocking: 4, blockingNames: ['logs-0'] } } }),
    },
    {
      steps: ['wait: no node is replaced, because the brokers do not answer: timed out'],
      when: 'the brokers do not answer: unknown stops no node',
      is: six({ 0: old }),
      cluster: undefined,
      silence: 'the brokers do not answer: timed out',
    },
    {
      steps: ['wait: no node is replaced, because the brokers do not answer'],
      when: 'the quorum has no leader',
      is: six({ 0: old }),
      cluster: answer({ quorum: { leader: -1 } }),
    },
  ]);
});

describe('a broker that loads its log after a start', () => {
  const fetching = (caughtUpAt: number) => ({ observers: [member(2, { caughtUpAt })] });
  const loads = answer({ fenced: [2], quorum: fetching(now - 1_000) });
  const combined = { ...old, ...down, isCombined: true } as const;
  decides([
    {
      steps: ['wait: no node is replaced: events-broker-2 loads its log, and is replaced when it serves again'],
      when: 'it is outdated',
      is: six({ 2: { ...old, ...down } }),
      cluster: loads,
    },
    {
      steps: ['wait: no node is replaced: events-broker-2 loads its log, and is replaced when it serves again'],
      when: 'it is outdated and a controller too',
      is: six({ 2: combined }),
      cluster: answer({ fenced: [2], quorum: { voters: [1_000, 1_001, 1_002, 2].map((id) => member(id)) } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-2 is not ready: it loads its log'],
      when: 'another one is outdated',
      is: six({ 0: old, 2: down }),
      cluster: loads,
    },
    {
      steps: ['replace events-broker-2'],
      when: 'it has not fetched metadata for more than ten seconds: it has ended',
      is: six({ 2: { ...old, ...down } }),
      cluster: answer({ fenced: [2], quorum: fetching(now - 10_001) }),
    },
    {
      steps: ['replace events-broker-2'],
      when: 'its container does not run any more',
      is: six({ 2: { ...old, ...broken } }),
      cluster: loads,
    },
    {
      steps: ['replace events-broker-2'],
      when: 'it serves again',
      is: six({ 2: old }),
      cluster: answer({ quorum: fetching(now) }),
    },
  ]);
});

describe('what is down already', () => {
  decides([
    {
      steps: ['replace events-broker-2'],
      when: 'it is outdated and its image is missing: for free',
      is: six({ 0: old, 2: { ...old, ...broken } }),
    },
    {
      steps: ['replace events-broker-2'],
      when: 'the brokers do not answer, but its container does not run',
      is: six({ 2: { ...old, ...broken } }),
      cluster: undefined,
    },
    { steps: [waits], when: 'one of its volumes does not exist', is: six({ 2: { ...old, ...unclaimed } }) },
    {
      steps: [waits],
      when: 'one of its volumes does not exist, although its container does not run: it may start again',
      is: six({ 2: { ...old, ...broken, ...unclaimed } }),
    },
    {
      steps: ['replace events-broker-2'],
      when: 'it is outdated and fenced',
      is: six({ 2: { ...old, ...down } }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: ['replace events-broker-2'],
      when: 'it is outdated, not ready, and serves: only after the check',
      is: six({ 2: { ...old, ...down } }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-2 is not ready: container kafka: the image x cannot be pulled'],
      when: 'a new image is broken: it stops at the first Pod',
      is: six({ 0: old, 1: old, 2: broken }),
      cluster: answer({ fenced: [2] }),
    },
    {
      steps: ['wait: no node is replaced: events-broker-1 is not ready'],
      when: 'its machine does not answer: its Pod stays',
      is: six({ 2: { ...old, ...broken, isNodeLost: true }, 1: down }),
    },
  ]);
});

test('a replaced node is not rendered, and its volume is', () => {
  const { pods, claims } = planned(six({ 0: old }));
  expect(pods.map(({ id }) => id)).toEqual([1, 2, 1000, 1001, 1002]);
  expect(claims.map(({ id }) => id)).toEqual([0, 1, 2, 1000, 1001, 1002]);
});

test.each([
  { ids: [1, 2], when: 'the Pod is terminating', is: { pod: 'ending' as const } },
  { ids: [0, 1, 2], when: 'the Pod is gone', is: { pod: 'none' as const } },
  {
    ids: [1, 2, 3],
    when: 'the volume is terminating: another broker takes its place',
    is: { pod: 'none' as const, claim: 'ending' as const },
  },
])('the brokers $ids run when $when', ({ ids, is }) => {
  const { pods } = planned(six({ 0: { ...is, isReady: false } }));
  expect(pods.filter(({ role }) => role === 'broker').map(({ id }) => id)).toEqual(ids);
});
