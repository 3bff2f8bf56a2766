import { algorithmKind } from '../../../../imports/index.js';
import { Deployment, defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';
import { isLevelled } from './view.js';

/** Watches the service level of `Algorithm` resources: counts requests, reports, and raises the autoscaler's minimum. */
export const level = defineController({
  kind: algorithmKind,
  name: 'level',
  secondaryFor: isLevelled,
  owns: [],
  watchesSiblings: [Deployment],
  polls,
  conditions,
  metrics,
  tables: statusTables,
  statusFields: ['sla', 'scaling'],
  desire: () => {},
  assess,
});
