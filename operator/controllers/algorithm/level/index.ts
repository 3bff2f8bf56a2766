import { algorithmKind } from '../../../../imports/index.js';
import { Deployment, defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { figures } from './metrics.js';
import { gather, isLevelled } from './queries.js';

/** Holds `Algorithm` resources to their service level: counts, says, and has the autoscaler raise the replicas. */
export const level = defineController({
  kind: algorithmKind,
  name: 'level',
  concerns: isLevelled,
  owns: [],
  sees: [Deployment],
  gather,
  conditions,
  figures,
  states: ['sla', 'scaling'],
  desire: () => {},
  assess,
});
