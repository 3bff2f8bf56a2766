import { describe, expect, it } from 'vitest';
import { tableLines } from '../../../../cli/status/report-lines.js';
import type { KafkaUserResource } from '../../../../imports/index.js';
import { statusTables } from '../../../../operator/controllers/kafka/cluster/status-tables.js';
import { statusTables as topicTables } from '../../../../operator/controllers/kafka/topic/status-tables.js';
import { statusTables as userTables } from '../../../../operator/controllers/kafka/user/status-tables.js';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { healthy, topic, withStatus } from '../../../cli/kafka/given-cluster.js';
import { now } from '../../../cli/status/given-conditions.js';

const tables = ({ kafka, pods } = healthy) => statusTables({ resource: kafka, objects: pods, now }).map(tableLines);

describe('the tables of a KafkaCluster', () => {
  it('are its version with counts, and its nodes', () => {
    expect(tables()).toEqual([
      [
        'VERSION  METADATA LEVEL  FINAL IN  BROKERS  CONTROLLERS  ACTIVE  UNDER-REPLICATED',
        '4.4      33              -         2/2      1/1          1000    0',
      ],
      [
        'NODE                    ROLE                 STATE    POD    RESTARTS  ZONE  MACHINE  USED',
        'events-controller-1000  Controller (active)  Running  Ready  2         a     node-1   -',
        'events-broker-0         Broker               Running  Ready  2         a     node-1   40 %',
        'events-broker-1         Broker               Running  Ready  2         b     node-2   -',
      ],
      [],
    ]);
  });

  it('are one before an operator has seen it', () => {
    const { status: _, ...kafka } = healthy.kafka;
    const [summary, ...others] = tables({ ...healthy, kafka: kafka as typeof healthy.kafka, pods: [] });
    expect(summary?.[1]).toBe('4.4      -               -         -        -            -       -');
    expect(others).toEqual([[], []]);
  });

  it('have both roles of a broker that is a controller', () => {
    const nodes = [
      { name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running', directoryId: 'disk' },
      { name: 'events-broker-1', id: 1, role: 'Broker', state: 'Running', directoryId: 'disk' },
      { name: 'events-large-2', id: 2, role: 'Broker', state: 'Running' },
    ];
    const [, lines = []] = tables(withStatus({ nodes, activeController: 1 }));
    const roles = lines.flatMap((line) => /^events-\S+\s+(Broker.*?)\s+Running/.exec(line)?.[1] ?? []);
    expect(roles).toEqual(['Broker, Controller', 'Broker, Controller (active)', 'Broker']);
  });

  it.each([
    { count: 4, ready: 'False', isListed: true },
    { count: 2, ready: 'False', isListed: true },
    { count: 1, ready: 'False', isListed: false },
    { count: 4, ready: 'True', isListed: false },
  ])('list a node that has restarted $count times and whose readiness is $ready: $isListed', (row) => {
    const [first, second, last = expect.fail()] = healthy.pods;
    const status = {
      conditions: [{ type: 'Ready', status: row.ready }],
      containerStatuses: [{ name: 'kafka', restartCount: row.count }],
    };
    const pods = [first, second, { ...last, status }] as readonly LivePod[];
    expect(tables({ ...healthy, pods })[2]).toEqual(
      row.isListed
        ? [
            'Pods that restart again and again',
            'POD              RESTARTS  CAUSE',
            `events-broker-1  ${row.count}         kubectl logs events-broker-1 -n shop --previous`,
          ]
        : [],
    );
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
  ])('have $shown as $column when $when', ({ shown, status, column }) => {
    const [[header = '', row = ''] = []] = tables(withStatus(status));
    const at = header.indexOf(column);
    expect(row.slice(at).split('  ')[0]).toBe(shown);
  });

  it('show a node without a Pod', () => {
    const [, lines = []] = tables({ ...healthy, pods: healthy.pods.slice(0, 2) });
    expect(lines[3]?.split(/ {2,}/).slice(3, 5)).toEqual(['-', '-']);
  });
});

it('the table of a KafkaTopic has its partitions', () => {
  const resource = topic('orders', { topicName: 'orders.v1', underReplicatedPartitions: 2 }) as never;
  expect(topicTables({ resource, objects: [], now }).flatMap(tableLines)).toEqual([
    'CLUSTER  TOPIC      PARTITIONS  REPLICATION  UNDER-REPLICATED',
    'events   orders.v1  3           3            2',
  ]);
});

it('the table of a KafkaUser has its name in Kafka and its Secret', () => {
  const resource = {
    ...{ spec: { cluster: { name: 'events' } }, status: { username: 'shop', secretName: 'shop-kafka' } },
  } as KafkaUserResource;
  expect(userTables({ resource, objects: [], now }).flatMap(tableLines)).toEqual([
    'CLUSTER  USER  SECRET',
    'events   shop  shop-kafka',
  ]);
});
