import { algorithmKind } from '../../../../imports/index.js';
import { Deployment, defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { metrics } from './metrics.js';
import { isLevelled, polls } from './queries.js';

/** Holds `Algorithm` resources to their service level: counts, says, and has the autoscaler raise the replicas. */
export const level = defineController({
  kind: algorithmKind,
  name: 'level',
  filter: isLevelled,
  owns: [],
  watchesSiblings: [Deployment],
  polls,
  conditions,
  metrics,
  statusFields: ['sla', 'scaling'],
  desire: () => {},
  assess,
});
