import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith, selected } from '../dashboards/queries.js';

/** Publications: their addresses, their targets, and what they ask and change outside of the cluster. */
export const dashboard: Dashboard = {
  file: 'publication',
  uid: 'reconstruct-publication',
  title: 'Publications',
  namespacesOf: ['reconstruct_service_publication_addresses'],
  stats: [
    {
      title: 'Unpublished targets',
      description: 'Targets that do not have the addresses.',
      query: orZero(
        `sum(max by (namespace, name, type, where) (${selected('reconstruct_service_publication_target_ready')}) == bool 0)`,
      ),
    },
    {
      title: 'Conflicts',
      description: 'Publications with a name that another owner has.',
      query: resourcesWith(
        'controller="servicepublication", condition="Published", reason="Conflict"',
        'controller, reason',
      ),
    },
    {
      title: 'Stale lists',
      description: 'Publications whose list of addresses has no news.',
      query: orZero(`count(${ofEach('reconstruct_service_publication_stale_timestamp_seconds')})`),
    },
    {
      title: 'Pods that end too early',
      description: 'Publications whose Pods do not serve on until no client has their addresses.',
      query: orZero(`sum(${ofEach('reconstruct_service_publication_drained')} == bool 0)`),
    },
  ],
  graphs: [
    { title: 'Addresses', unit: 'short', queries: { [RESOURCE]: ofEach('reconstruct_service_publication_addresses') } },
    {
      title: 'Targets that have the addresses',
      unit: 'short',
      queries: {
        '{{namespace}}/{{name}} {{type}} {{where}}': `max by (namespace, name, type, where) (${selected('reconstruct_service_publication_target_ready')})`,
      },
    },
    byReason('Publications by Published condition', 'controller="servicepublication", condition="Published"'),
    byReason('Publications by Fresh condition', 'controller="servicepublication", condition="Fresh"'),
    byReason('Publications by Drained condition', 'controller="servicepublication", condition="Drained"'),
    {
      title: 'Questions and calls per minute',
      description: 'Questions and calls to DNS servers, webhooks, HAProxy and etcd, by outcome.',
      unit: 'short',
      queries: {
        '{{port}} {{result}}':
          '60 * sum by (port, result) (rate(reconstruct_polls_total{controller="servicepublication"}[5m]))',
        '{{port}} {{outcome}}':
          '60 * sum by (port, outcome) (rate(reconstruct_external_calls_total{controller="servicepublication"}[5m]))',
      },
    },
  ],
};
