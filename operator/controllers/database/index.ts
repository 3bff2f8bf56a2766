import { databaseKind } from '../../../imports/index.js';
import { defineController, PersistentVolumeClaim, Secret } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { foreignLeftovers, leavesClaims } from './deletion/index.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './queries.js';

export { backups } from './backups/index.js';

const kindsOfData: readonly string[] = [PersistentVolumeClaim.kind, Secret.kind];

/** Runs `Database` resources: their instances, who may take which one's place, and what all of them share. */
export const database = defineController({
  kind: databaseKind,
  owns,
  reads,
  polls,
  conditions,
  informationalConditions: ['Placed', 'Unsafe'],
  metrics,
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
  // What was written stays until it is certain that it may go: nobody waits for half an hour and then loses it.
  finalizes: true,
  // A volume is of no use without the passwords that open it.
  retains: ({ kind }, resource) => kindsOfData.includes(kind) && leavesClaims(resource),
  foreignLeftovers,
  keepsRevisions: 'always',
  desire,
  assess,
});
