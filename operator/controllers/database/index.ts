import { databaseKind } from '../../../imports/index.js';
import { defineController, PersistentVolumeClaim, Secret } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { owns, reads } from './declarations.js';
import { foreignLeftovers, leavesClaims } from './deletion/index.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

export { backups } from './backup-schedule/index.js';

const kindsOfData: readonly string[] = [PersistentVolumeClaim.kind, Secret.kind];

/** Reconciles `Database` resources: their instances, failover permissions and shared objects. */
export const database = defineController({
  kind: databaseKind,
  owns,
  reads,
  polls,
  optionalPolls: 'all',
  conditions,
  rejections,
  informationalConditions: ['Placed', 'Unsafe'],
  metrics,
  tables: statusTables,
  statusFields: [
    'ready',
    'primary',
    'replicas',
    'readyReplicas',
    'selector',
    'version',
    'timeline',
    'unarchivedSince',
    'instances',
    'closing',
  ],
  // The finalizer keeps the data until it is certain that it can be deleted.
  finalizes: true,
  // A retained volume is useless without its passwords, so the Secrets are retained too.
  retains: ({ kind }, resource) => kindsOfData.includes(kind) && leavesClaims(resource),
  foreignLeftovers,
  keepsRevisions: 'always',
  desire,
  assess,
});
