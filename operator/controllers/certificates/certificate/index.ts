import { type CertificateResource, certificateKind } from '../../../../imports/index.js';
import { workloads } from '../../../consumers/workloads.js';
import { defineController, type OwnStatus } from '../../../runtime/index.js';
import { acmeOrder } from '../ports/acme.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

type StatusField = keyof OwnStatus<CertificateResource>;

/** All status fields but those that the controller of challenges writes. */
const statusFields = (certificateKind.statusFields ?? []).filter(
  (field): field is StatusField => !['responses', 'records', 'conditions', 'observedGeneration'].includes(field),
);

/** Issues the certificates of `Certificate` resources into Secrets, and renews them. */
export const certificate = defineController({
  kind: certificateKind,
  owns,
  reads,
  polls,
  calls: [acmeOrder, workloads],
  statusFields,
  conditions,
  rejections,
  // A certificate is ready when it is issued.
  informationalConditions: ['Adopted'],
  optionalConditions: ['Adopted'],
  metrics,
  tables: statusTables,
  desire,
  assess,
});
