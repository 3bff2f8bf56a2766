import { describe, expect, it } from 'vitest';
import { advice } from '../../../cli/kafka/advice.js';
import type { FoundKafka } from '../../../cli/kafka/resources.js';
import { kafkaStatusView, topicsView } from '../../../cli/kafka/view.js';
import { conditions as ofClusters } from '../../../operator/controllers/kafka/cluster/conditions.js';
import { conditions as ofTopics } from '../../../operator/controllers/kafka/topic/conditions.js';
import { conditions as ofUsers } from '../../../operator/controllers/kafka/user/conditions.js';
import { condition, good, now } from '../status/given-conditions.js';
import { failing, healthy, topic, withStatus } from './given-cluster.js';

describe('the status of a KafkaCluster', () => {
  it('is one screen, also if all is well', () => {
    expect(kafkaStatusView(healthy, now)).toEqual({
      isWrong: false,
      lines: [
        'CLUSTER      READY  VERSION  METADATA LEVEL  FINAL IN  BROKERS  CONTROLLERS  ACTIVE  UNDER-REPLICATED',
        'shop/events  True   4.4      33              -         2/2      1/1          1000    0',
        '',
        'NODE                    ROLE                 STATE    POD    RESTARTS  ZONE  MACHINE  USED',
        'events-controller-1000  Controller (active)  Running  Ready  2         a     node-1   -',
        'events-broker-0         Broker               Running  Ready  2         a     node-1   40 %',
        'events-broker-1         Broker               Running  Ready  2         b     node-2   -',
        '',
        'topics: 1 of 1 ready',
        'users: 1 of 1 ready',
        '',
        'No problems.',
      ],
    });
  });

  it('has both roles of a broker that is a controller', () => {
    const nodes = [
      { name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running', directoryId: 'disk' },
      { name: 'events-broker-1', id: 1, role: 'Broker', state: 'Running', directoryId: 'disk' },
      { name: 'events-large-2', id: 2, role: 'Broker', state: 'Running' },
    ];
    const { lines } = kafkaStatusView(withStatus({ nodes, activeController: 1 }), now);
    const roles = lines.flatMap((line) => /^events-\S+\s+(Broker.*?)\s+Running/.exec(line)?.[1] ?? []);
    expect(roles).toEqual(['Broker, Controller', 'Broker, Controller (active)', 'Broker']);
  });

  it('has what is wrong and what to do, then what is in progress', () => {
    const message = 'events-broker-1: container kafka: the image cannot be \u001b[31mpulled';
    const conditions = [
      ...failing('Provisioned', 'NodeNotReady', message),
      condition('UpToDate', 'Unknown', 'RollingOut', '1 of 3 nodes run the current spec'),
    ];
    const { lines, isWrong } = kafkaStatusView({ ...withStatus({ conditions }), notes: ['Pod is not shown'] }, now);
    expect(isWrong).toBe(true);
    expect(lines.slice(lines.indexOf('Problems:'))).toEqual([
      'Problems:',
      '  KafkaCluster events: Provisioned NodeNotReady',
      '    events-broker-1: container kafka: the image cannot be \\u001b[31mpulled',
      '    To do: fix the cause in the message, such as the image or a cluster without room',
      '',
      'In progress:',
      '  KafkaCluster events: UpToDate RollingOut',
      '    1 of 3 nodes run the current spec',
      '',
      'Pod is not shown',
    ]);
  });

  it.each([
    { count: 4, ready: 'False', isListed: true },
    { count: 2, ready: 'False', isListed: true },
    { count: 1, ready: 'False', isListed: false },
    { count: 4, ready: 'True', isListed: false },
  ])('lists a node that has restarted $count times and whose readiness is $ready: $isListed', (row) => {
    const [first, second, last = expect.fail()] = healthy.pods;
    const status = {
      conditions: [{ type: 'Ready', status: row.ready }],
      containerStatuses: [{ name: 'kafka', restartCount: row.count }],
    };
    const pods = [first, second, { ...last, status }] as FoundKafka['pods'];
    const conditions = [condition('Provisioned', 'Unknown', 'Provisioning', 'Waiting for events-broker-1')];
    const { lines, isWrong } = kafkaStatusView({ ...withStatus({ conditions }), pods }, now);
    expect(isWrong).toBe(row.isListed);
    const at = lines.indexOf('  Pod events-broker-1: Ready Restarting');
    expect(at >= 0).toBe(row.isListed);
    if (row.isListed)
      expect(lines[at + 1]).toBe(
        `    It has restarted ${row.count} times and is not ready; find the cause with kubectl logs events-broker-1 --previous`,
      );
  });

  it('counts the resources that have the same problem', () => {
    const lost = { conditions: failing('Configured', 'Lost') };
    const topics = ['g', 'b', 'a', 'f', 'c', 'd', 'e'].map((name) => topic(name, lost));
    const { lines } = kafkaStatusView({ ...healthy, topics: [...topics, topic('ok')] } as unknown as FoundKafka, now);
    expect(lines).toContain('topics: 1 of 8 ready');
    expect(lines.filter((line) => line.includes('KafkaTopic'))).toEqual([
      '  KafkaTopic a, b, c, d, e and 2 more: Configured Lost',
    ]);
  });

  it('groups only equal messages, each in one line, with what to do', () => {
    const failed = (message: string) => ({ conditions: failing('Configured', 'Refused', message) });
    const low = { conditions: failing('Accepted', 'ReplicationTooLow', 'spec.replication: Invalid value: 1') };
    const topics = [
      topic('a', failed('one')),
      topic('b', failed('an\n  other')),
      topic('c', failed('one')),
      topic('low', low),
    ];
    const { lines } = kafkaStatusView({ ...healthy, topics } as unknown as FoundKafka, now);
    expect(lines.slice(lines.indexOf('Problems:') + 1)).toEqual([
      '  KafkaTopic a, c: Configured Refused',
      '    one',
      '    To do: fix the cause in the words of Kafka',
      '  KafkaTopic b: Configured Refused',
      '    an other',
      '    To do: fix the cause in the words of Kafka',
      '  KafkaTopic low: Accepted ReplicationTooLow',
      '    spec.replication: Invalid value: 1',
      '    To do: raise spec.replication, or lower min.insync.replicas in spec.config of the KafkaTopic',
    ]);
  });

  it.each([
    { shown: '4.3 -> 4.4', when: 'nodes still run the earlier version', status: { version: '4.3' }, column: 'VERSION' },
    { shown: '4.4', when: 'no node has run yet', status: { version: undefined }, column: 'VERSION' },
    {
      shown: '23h',
      when: 'the version is finalized later',
      status: { finalizationTime: '2030-01-01T23:00:00Z' },
      column: 'FINAL IN',
    },
  ])('has $shown as $column when $when', ({ shown, status, column }) => {
    const [header = '', row = ''] = kafkaStatusView(withStatus(status), now).lines;
    const at = header.indexOf(column);
    expect(row.slice(at).split('  ')[0]).toBe(shown);
  });

  it.each([
    { state: 'Terminating', when: 'it is being deleted', changes: { metadata: { deletionTimestamp: 'now' } } },
    {
      state: 'CrashLoopBackOff',
      when: 'its container does not run',
      changes: {
        status: { containerStatuses: [{ restartCount: 7, state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
      },
    },
    { state: 'Pending', when: 'no machine has room', changes: { status: { phase: 'Pending' } } },
    { state: '-', when: 'it does not exist', changes: undefined },
  ])('shows the Pod of a node as $state when $when', ({ state, changes }) => {
    const [, , last = expect.fail()] = healthy.pods;
    const pod = { ...last, ...changes, metadata: { ...last.metadata, ...changes?.metadata } };
    const pods = [...healthy.pods.slice(0, 2), ...(changes ? [pod] : [])] as FoundKafka['pods'];
    const row = kafkaStatusView({ ...healthy, pods }, now).lines.find((line) => line.startsWith('events-broker-1'));
    expect(row?.split(/ {2,}/)[3]).toBe(state);
  });

  it('of a KafkaCluster that no operator has seen is a problem', () => {
    const { nodes: _, ...status } = healthy.kafka.status;
    const found = { ...healthy, kafka: { ...healthy.kafka, status: { ...status, observedGeneration: -1 } } };
    const { lines, isWrong } = kafkaStatusView(found as FoundKafka, now);
    expect(isWrong).toBe(true);
    expect(lines).toContain('  KafkaCluster events: Operator NotObserved');
  });
});

describe('the advice', () => {
  const kinds = [
    ['KafkaCluster', ofClusters],
    ['KafkaTopic', ofTopics],
    ['KafkaUser', ofUsers],
  ] as const;
  const reasons = kinds.flatMap(([kind, conditions]) =>
    Object.entries(conditions).flatMap(([type, all]) =>
      Object.entries(all as Readonly<Record<string, readonly [string, string]>>).map(([reason, [status]]) => ({
        ...{ kind, type, reason, status },
      })),
    ),
  );

  it('has what to do about each reason of a condition that is False', () => {
    const missing = reasons.filter(
      ({ kind, type, reason, status }) => status === 'False' && advice[kind]?.[type]?.[reason] === undefined,
    );
    expect(missing).toEqual([]);
  });

  it('names only reasons that there are', () => {
    const given = Object.entries(advice).flatMap(([kind, types]) =>
      Object.entries(types).flatMap(([type, all]) => Object.keys(all).map((reason) => `${kind} ${type} ${reason}`)),
    );
    const refused = [
      ...[
        ...['Invalid', 'VersionFinalized', 'VolumeCannotShrink'],
        ...['VolumesOfOtherCluster', 'VolumesOfOtherControllers'],
      ].map((one) => ['KafkaCluster', one]),
      ...['InvalidName', 'ReplicationTooLow'].map((one) => ['KafkaTopic', one]),
      ...['NoListener', 'ReservedName'].map((one) => ['KafkaUser', one]),
    ].map(([kind, reason]) => `${kind} Accepted ${reason}`);
    const known = new Set([...refused, ...reasons.map(({ kind, type, reason }) => `${kind} ${type} ${reason}`)]);
    expect(given.filter((one) => !known.has(one))).toEqual([]);
  });
});

describe('the topics of a KafkaCluster', () => {
  it('are sorted by what needs attention', () => {
    const topics = [
      topic('a'),
      topic('z', { conditions: failing('Configured', 'Lost', 'The topic was deleted'), underReplicatedPartitions: 2 }),
      topic('n', { conditions: [...good], topicName: 'news.v1' }),
    ] as unknown as FoundKafka['topics'];
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
