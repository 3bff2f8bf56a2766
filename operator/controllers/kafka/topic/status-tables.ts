import type { KafkaTopicResource } from '../../../../imports/index.js';
import { topicNameOf } from '../../../kafka/topic-name.js';
import type { Shown, Table } from '../../../runtime/index.js';

/** The topic and its partitions. */
export function statusTables({ resource }: Shown<KafkaTopicResource>): readonly Table[] {
  const { topicName, partitions, replication, underReplicatedPartitions } = resource.status ?? {};
  const row = {
    ...{ CLUSTER: resource.spec.cluster.name, TOPIC: topicName ?? topicNameOf(resource) },
    ...{ PARTITIONS: partitions, REPLICATION: replication, 'UNDER-REPLICATED': underReplicatedPartitions },
  };
  return [{ rows: [row] }];
}
