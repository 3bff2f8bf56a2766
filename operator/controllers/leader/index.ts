import { leaderElectionKind } from '../../../imports/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { leaderHooks } from './ports/hooks.js';
import { leaderLeases } from './ports/leases.js';
import { leaderRoles } from './ports/roles.js';
import { statusTables } from './status-tables.js';

/** Reconciles `LeaderElection` resources. */
export const leaderElection = defineController({
  kind: leaderElectionKind,
  owns,
  reads,
  polls,
  // Endpoints are kept by name while the Lease is unknown, and nothing else depends on answers.
  optionalPolls: 'all',
  calls: [leaderLeases, leaderRoles, leaderHooks],
  conditions,
  informationalConditions: ['Joined'],
  optionalConditions: ['Serving', 'Replicated', 'Joined'],
  metrics,
  tables: statusTables,
  // Roles and labels are removed from the Pods.
  finalizes: true,
  desire,
  assess,
});
