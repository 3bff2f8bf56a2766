import { algorithmKind } from '../../../imports/index.js';
import type { ProxyWorkload } from '../../../src/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads, watchesSiblings } from './declarations.js';
import { desire } from './desire.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

export { level } from './level/index.js';
export { trial } from './trial/index.js';

/** Runs `Algorithm` resources: the Pods, Service, configuration, autoscaler and disruption budget of a server. */
export const algorithm = algorithmBehind('Deployment');

/** Like {@link algorithm}, with the kind of workload that runs the proxies of its gateway. */
export function algorithmBehind(proxies: ProxyWorkload) {
  return defineController({
    kind: algorithmKind,
    owns,
    watchesSiblings,
    reads,
    polls,
    statusFields: ['phase', 'replicas', 'readyReplicas', 'selector'],
    conditions,
    informationalConditions: ['LatencyManaged'],
    optionalConditions: ['HostAccepted', 'Autoscaled'],
    tables: statusTables,
    desire: (scope, view) => desire(scope, view, proxies),
    assess,
  });
}
