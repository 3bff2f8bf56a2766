import { kafkaClusterKind } from '../../../../imports/index.js';
import { restartHooks } from '../../../members/index.js';
import { defineController, PersistentVolumeClaim } from '../../../runtime/index.js';
import { kafkaCluster as clusterPort } from '../ports/cluster.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';
import { isOfOtherCluster } from './view.js';

/** Reconciles `KafkaCluster` resources. */
export const kafkaCluster = defineController({
  kind: kafkaClusterKind,
  owns,
  reads,
  polls,
  optionalPolls: 'all',
  calls: [clusterPort, restartHooks],
  conditions,
  rejections,
  informationalConditions: ['TopicsClaimed', 'Finalized'],
  metrics,
  tables: statusTables,
  // The finalizer lets the brokers stop before the controllers.
  finalizes: true,
  retains: (object, resource) =>
    object.kind === PersistentVolumeClaim.kind &&
    (resource.spec.deletionPolicy === 'Retain' || isOfOtherCluster(object, resource)),
  desire,
  assess,
});
