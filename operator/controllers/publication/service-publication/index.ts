import { servicePublicationKind } from '../../../../imports/index.js';
import { dnsNames } from '../../../dns/dns-names.js';
import { defineController } from '../../../runtime/index.js';
import { etcdKeys } from '../ports/etcd.js';
import { haproxy } from '../ports/haproxy.js';
import { dnsProviderWebhook } from '../ports/webhook.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

/** Reconciles `ServicePublication` resources: files in the cluster, and names, servers and keys outside of it. */
export const servicePublication = defineController({
  kind: servicePublicationKind,
  owns,
  reads,
  polls,
  // A target that does not answer holds up no other one. Files are kept one by one.
  optionalPolls: 'all',
  calls: [dnsNames, dnsProviderWebhook, haproxy, etcdKeys],
  conditions,
  // The records are right, although the Pods end too early.
  informationalConditions: ['Drained'],
  optionalConditions: ['Drained'],
  metrics,
  tables: statusTables,
  finalizes: true,
  desire,
  assess,
});
