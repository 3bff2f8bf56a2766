import { application } from './leader/application.js';
import { lease, prefer, safety } from './leader/lease.js';
import { leaderElectionStatus } from './leader/status.js';
import { defineKind, integer, keyedList, map, object, type Rule, string } from './schema/index.js';

/** The names of Services and of the Lease are labels of DNS, and an EndpointSlice adds a suffix. */
const longestName = 52;
const LABEL = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const serviceName = (description: string) =>
  ({ description, limits: { minLength: 1, maxLength: longestName, pattern: LABEL } }) as const;

const service = serviceName('Name of the Service that leads to the leader alone. The operator creates it.');
const replicaService = serviceName(
  'Name of the Service that leads to all other candidates. The operator creates it. Defaults to none.',
);

const servicePort = object('Port of both Services.', {
  name: string('Name of the port.', { minLength: 1, maxLength: 15, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
  port: integer('Port of the Service.', { minimum: 1, maximum: 65_535 }),
  targetPort: integer('Port of the Pods. Defaults to `port`.', { minimum: 1, maximum: 65_535, optional: true }),
});

interface Services {
  readonly service: string;
  readonly replicaService?: string;
}

const TWO_SERVICES: Rule = {
  rule: '!has(self.replicaService) || self.replicaService != self.service',
  message: 'must not be the name of service; choose another name',
  fieldPath: '.replicaService',
  holds: ({ service: one, replicaService: other }: Services) => one !== other,
};

interface Ported {
  readonly application: { readonly redis?: object };
  readonly ports?: readonly object[];
}

const PORTS_STATED: Rule = {
  rule: 'has(self.application.redis) || (has(self.ports) && self.ports.size() > 0)',
  message: 'must have a port, because only redis has one by itself; add the ports of the application',
  fieldPath: '.ports',
  holds: ({ application: { redis }, ports = [] }: Ported) => redis !== undefined || ports.length > 0,
};

/** The desired state of a LeaderElection. */
export const leaderElectionSpec = object(
  'Desired election.',
  {
    selector: map(
      'Labels of the candidates, in the same namespace. A Pod must have all of them.',
      string('Value of the label.', { maxLength: 63 }),
      { minProperties: 1, maxProperties: 16 },
    ),
    service: string(service.description, service.limits),
    replicaService: string(replicaService.description, { ...replicaService.limits, optional: true }),
    ports: keyedList('Ports of both Services. Defaults to the port of Redis.', ['name'], servicePort, {
      minItems: 1,
      maxItems: 16,
      optional: true,
    }),
    application,
    lease,
    prefer,
    safety,
  },
  { rules: [TWO_SERVICES, PORTS_STATED] },
);

/** The kind LeaderElection: one leader among Pods that cannot elect one. */
export const leaderElection = defineKind({
  group: 'reconstruct.dev',
  kind: 'LeaderElection',
  shortNames: ['le'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Leader among Pods whose application does not elect one, with a Service that leads to it alone.',
      spec: leaderElectionSpec,
      status: leaderElectionStatus,
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${LABEL}')`,
          message: `must have a name that a Lease and its annotations can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Leader', type: 'string', jsonPath: '.status.leader', description: 'Pod that leads.' },
        { name: 'Term', type: 'integer', jsonPath: '.status.term', description: 'Number of the leader.' },
        { name: 'Since', type: 'date', jsonPath: '.status.since', description: 'Time since the leader was named.' },
        {
          name: 'Candidates',
          type: 'string',
          jsonPath: '.status.candidates',
          description: 'Pods that could lead, out of all.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});

export { leaderElectionStatus, mostCandidates } from './leader/status.js';
