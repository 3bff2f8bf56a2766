import type { KafkaUserResource } from '../../../../imports/index.js';
import type { Shown, Table } from '../../../runtime/index.js';

/** The name in Kafka and the Secret with the credentials. */
export function statusTables({ resource: { spec, status } }: Shown<KafkaUserResource>): readonly Table[] {
  return [{ rows: [{ CLUSTER: spec.cluster.name, USER: status?.username, SECRET: status?.secretName }] }];
}
