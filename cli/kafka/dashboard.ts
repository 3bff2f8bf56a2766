import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith, selected } from '../dashboards/queries.js';

/** KafkaClusters, their consumer groups, and the metrics of the exporter in the image of Kafka. */
export const dashboard: Dashboard = {
  file: 'kafka',
  uid: 'reconstruct-kafka',
  title: 'Kafka',
  namespacesOf: ['reconstruct_kafka_brokers_desired'],
  stats: [
    {
      title: 'KafkaClusters that are unavailable',
      query: resourcesWith('controller="kafkacluster", condition="Available", status="False"'),
    },
    {
      title: 'Under-replicated partitions',
      query: orZero(`sum(${ofEach('reconstruct_kafka_under_replicated_partitions')})`),
    },
    {
      title: 'KafkaClusters with missing brokers',
      query: orZero(
        `count(${ofEach('reconstruct_kafka_brokers_ready')} < ${ofEach('reconstruct_kafka_brokers_desired')})`,
      ),
    },
    {
      title: 'Largest consumer lag',
      description: 'Records, of the groups in the status of each KafkaCluster.',
      query: orZero(`max(${selected('kafka_consumergroup_lag')})`),
    },
  ],
  graphs: [
    {
      title: 'Consumer lag by group and topic',
      description:
        'Records by which a consumer group is behind, for the 50 pairs of each KafkaCluster that are the furthest behind.',
      unit: 'short',
      queries: {
        '{{name}} {{consumergroup}} {{topic}}': `max by (namespace, name, consumergroup, topic) (${selected('kafka_consumergroup_lag')})`,
      },
    },
    {
      title: 'Fullest volume',
      unit: 'percentunit',
      queries: { [RESOURCE]: ofEach('reconstruct_kafka_volume_used_ratio') },
    },
    {
      title: 'Records in',
      description: 'From the exporter of the brokers.',
      unit: 'ops',
      queries: { '{{namespace}}': throughput('kafka_server_brokertopicmetrics_messagesin_total') },
    },
    {
      title: 'Bytes in',
      description: 'From the exporter of the brokers.',
      unit: 'Bps',
      queries: { '{{namespace}}': throughput('kafka_server_brokertopicmetrics_bytesin_total') },
    },
    {
      title: 'Bytes out',
      description: 'From the exporter of the brokers.',
      unit: 'Bps',
      queries: { '{{namespace}}': throughput('kafka_server_brokertopicmetrics_bytesout_total') },
    },
    {
      title: 'Shrinks of in-sync replicas',
      description: 'From the exporter of the brokers.',
      unit: 'ops',
      queries: {
        '{{pod}}': `sum by (namespace, pod) (rate(${selected('kafka_server_replicamanager_isrshrinks_total')}[5m]))`,
      },
    },
    {
      title: '99th percentile of produce and fetch requests',
      description: 'From the exporter of the brokers, in milliseconds.',
      unit: 'ms',
      queries: {
        '{{namespace}} {{request}}': `max by (namespace, request) (${selected(
          'kafka_network_requestmetrics_totaltimems',
          'quantile="0.99"',
          'request=~"Produce|FetchConsumer"',
        )})`,
      },
    },
    {
      title: 'Idle request handlers',
      description: 'From the exporter of the brokers. Below 0.3, a broker is overloaded.',
      unit: 'percentunit',
      queries: {
        '{{pod}}': `min by (namespace, pod) (${selected('kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent')})`,
      },
    },
    {
      title: 'Active controllers',
      description: 'From the exporter of the controllers. Each cluster has one.',
      unit: 'short',
      queries: {
        '{{namespace}}': `sum by (namespace) (${selected('kafka_controller_kafkacontroller_activecontrollercount')})`,
      },
    },
    byReason('KafkaClusters by Available condition', 'controller="kafkacluster", condition="Available"'),
  ],
};

/** Rate of a counter of the brokers in each namespace. The series without a topic has the sum of all topics. */
function throughput(metric: string): string {
  return `sum by (namespace) (rate(${selected(metric, 'topic=""')}[5m]))`;
}
