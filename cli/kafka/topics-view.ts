import type { KafkaTopicResource } from '../../imports/index.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import { readyOf } from '../status/status-report.js';

const none = '-';

/** The KafkaTopics of a cluster: what needs attention first, then by name. */
export function topicsView(topics: readonly KafkaTopicResource[]): readonly string[] {
  if (topics.length === 0) return ['No KafkaTopics.'];
  const name = ({ metadata, spec, status }: KafkaTopicResource) => status?.topicName ?? spec.topicName ?? metadata.name;
  const rank = (topic: KafkaTopicResource) => (readyOf(topic) === 'True' ? 1 : 0);
  const sorted = topics.toSorted((a, b) => rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
  const rows = sorted.map((topic) => {
    const { partitions = none, replication = none, underReplicatedPartitions = none } = topic.status ?? {};
    const ready = topic.status?.conditions?.find(({ type }) => type === 'Ready');
    const numbers = [partitions, replication, underReplicatedPartitions].map(String);
    const why = ready && ready.status !== 'True' ? `${ready.reason}: ${ready.message}` : '';
    return [topic.metadata.name, name(topic), readyOf(topic) ?? none, ...numbers, why];
  });
  const header = ['KAFKATOPIC', 'TOPIC', 'READY', 'PARTITIONS', 'REPLICATION', 'UNDER-REPLICATED', 'WHY'];
  return alignedRows([header, ...rows].map((row) => row.map(printable)));
}
