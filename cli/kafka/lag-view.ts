import type { KafkaClusterResource } from '../../imports/index.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';

/** The consumer groups of a cluster that are the furthest behind, the worst first. */
export function lagView({ metadata, status }: KafkaClusterResource): readonly string[] {
  const { consumerGroups, consumerGroupsOmitted = 0 } = status ?? {};
  if (!consumerGroups) {
    const follow = `reconstruct status kafkacluster ${metadata.name} -n ${metadata.namespace}`;
    return [`The lag is not known, because the brokers have not answered; see ${follow}`];
  }
  if (consumerGroups.length === 0) return ['No consumer group has committed an offset.'];
  const rows = consumerGroups
    .toSorted((a, b) => b.lag - a.lag)
    .map(({ group, topic, lag }) => [group, topic, `${lag}`].map(printable));
  const more = `${consumerGroupsOmitted} more with a smaller lag`;
  return [...alignedRows([['GROUP', 'TOPIC', 'LAG'], ...rows]), ...(consumerGroupsOmitted === 0 ? [] : ['', more])];
}
