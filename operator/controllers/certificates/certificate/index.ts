import { certificateKind } from '../../../../imports/index.js';
import { workloads } from '../../../consumers/workloads.js';
import { defineController, Secret } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './queries.js';
import { reads } from './view.js';

/** Issues the certificates of `Certificate` resources into Secrets, and renews them. */
export const certificate = defineController({
  kind: certificateKind,
  owns: [Secret],
  reads,
  polls,
  calls: [workloads],
  conditions,
  // A certificate is ready when it is issued.
  informationalConditions: ['Adopted'],
  optionalConditions: ['Adopted'],
  metrics,
  desire,
  assess,
});
