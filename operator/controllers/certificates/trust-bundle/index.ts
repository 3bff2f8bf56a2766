import { trustBundleKind } from '../../../../imports/index.js';
import { defineController, optional } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { statusTables } from './status-tables.js';

/**
 * Publishes the CA certificates of `TrustBundle` resources. An operator that is limited to some namespaces may not read
 * them.
 */
export const trustBundle = defineController({
  kind: optional(trustBundleKind),
  owns,
  reads,
  conditions,
  tables: statusTables,
  desire,
  assess,
});
