import { secondsOf } from '../../../crds/index.js';
import { type SparkJobResource, sparkJobKind } from '../../../imports/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { isToBeCounted } from './pods/protection.js';
import { polls } from './polls.js';
import { sparkLeftovers } from './ports/leftovers.js';
import { statusTables } from './status-tables.js';

/** Reconciles `SparkJob` resources. */
export const sparkJob = defineController({
  kind: sparkJobKind,
  owns,
  reads,
  polls,
  optionalPolls: 'all',
  calls: [sparkLeftovers],
  conditions,
  metrics,
  tables: statusTables,
  finalizes: true,
  protects: isToBeCounted,
  expiresAt: ({ spec, status }: SparkJobResource) =>
    status?.completionTime === undefined || spec.ttlAfterFinished === undefined
      ? undefined
      : Date.parse(status.completionTime) + 1_000 * secondsOf(spec.ttlAfterFinished),
  desire,
  assess,
});
