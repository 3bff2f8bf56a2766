import { trustBundleKind } from '../../../../imports/index.js';
import { ConfigMap, defineController, optional } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { reads } from './view.js';

/**
 * Publishes the CA certificates of `TrustBundle` resources. An operator that is limited to some namespaces may not read
 * them.
 */
export const trustBundle = defineController({
  kind: optional(trustBundleKind),
  owns: [ConfigMap],
  reads,
  conditions,
  desire,
  assess,
});
