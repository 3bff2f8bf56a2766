import { etcdClusterKind } from '../../../imports/index.js';
import { defineController, PersistentVolumeClaim } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { polls } from './polls.js';
import { etcdCluster as clusterPort } from './ports/cluster.js';

/** Reconciles `EtcdCluster` resources. */
export const etcdCluster = defineController({
  kind: etcdClusterKind,
  ...{ owns, reads, polls, optionalPolls: 'all', calls: [clusterPort], conditions, desire, assess, finalizes: true },
  retains: ({ kind }, { spec }) => kind === PersistentVolumeClaim.kind && spec.deletionPolicy === 'Retain',
});
