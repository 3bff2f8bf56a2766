import type { KafkaTopicResource } from '../../../../imports/index.js';
import type { Shown, Table } from '../../../runtime/index.js';
import { topicNameOf } from './topic-name.js';

/** The topic and its partitions. */
export function statusTables({ resource }: Shown<KafkaTopicResource>): readonly Table[] {
  const { topicName, partitions, replication, underReplicatedPartitions } = resource.status ?? {};
  const row = {
    ...{ CLUSTER: resource.spec.cluster.name, TOPIC: topicName ?? topicNameOf(resource) },
    ...{ PARTITIONS: partitions, REPLICATION: replication, 'UNDER-REPLICATED': underReplicatedPartitions },
  };
  return [{ rows: [row] }];
}
