import { optionalObjectName } from './fields/names.js';
import { servicePublicationStatus } from './publication/status.js';
import { target } from './publication/targets.js';
import { defineKind, duration, enumeration, list, object, type Rule } from './schema/index.js';

const longestName = 63;

const sources = ['service', 'gateway', 'httpRoute'] as const;

interface Target {
  readonly dns?: { readonly server: string; readonly zone: string; readonly name?: string; readonly srv?: unknown };
  readonly webhook?: { readonly url: string; readonly zone: string; readonly name?: string };
  readonly file?: { readonly configMap: string };
  readonly haproxy?: { readonly address: string; readonly backend: string };
  readonly etcd?: { readonly key: string };
}

interface Spec {
  readonly service?: string;
  readonly gateway?: string;
  readonly httpRoute?: string;
  readonly addresses?: string;
  readonly targets?: readonly Target[];
}

const oneSource: Rule = {
  rule: `[${sources.map((one) => `has(self.${one})`).join(', ')}].exists_one(is, is)`,
  message: 'must have exactly one source; set service, gateway or httpRoute',
  holds: (spec: Spec) => sources.filter((one) => spec[one] !== undefined).length === 1,
};

const addressesOfService: Rule = {
  rule: "has(self.service) || self.addresses == 'Endpoints'",
  message: 'must be absent without service; remove addresses, because a Gateway has addresses of its own',
  fieldPath: '.addresses',
  holds: ({ service, addresses = 'Endpoints' }: Spec) => service !== undefined || addresses === 'Endpoints',
};

const namesOf = ({ targets = [] }: Spec) =>
  targets.flatMap(({ dns, webhook }) => [dns, webhook].filter((one) => one !== undefined));

const namesWithService: Rule = {
  rule: '!has(self.service) || self.targets.all(t, (!has(t.dns) || has(t.dns.name)) && (!has(t.webhook) || has(t.webhook.name)))',
  message: 'must have a name for each dns and webhook target of a Service; set name, or @ for the zone itself',
  fieldPath: '.targets',
  holds: (spec: Spec) => spec.service === undefined || namesOf(spec).every(({ name }) => name !== undefined),
};

const namesOfRoutes: Rule = {
  rule: 'has(self.service) || self.targets.all(t, (!has(t.dns) || (!has(t.dns.name) && !has(t.dns.srv))) && (!has(t.webhook) || !has(t.webhook.name)))',
  message:
    'must have neither name nor srv without service; remove them, because the host names of the Gateway or HTTPRoute are published',
  fieldPath: '.targets',
  holds: (spec: Spec) =>
    spec.service !== undefined ||
    namesOf(spec).every((one) => one.name === undefined && (!('srv' in one) || one.srv === undefined)),
};

/** The fields that tell two targets of one type apart. */
const identities: Readonly<Record<string, readonly string[]>> = {
  dns: ['server', 'port', 'zone'],
  webhook: ['url', 'zone'],
  file: ['configMap'],
  haproxy: ['address', 'backend'],
  etcd: ['key'],
};

const sameName = (type: string) =>
  type === 'dns' || type === 'webhook'
    ? [`has(u.${type}.name) == has(t.${type}.name)`, `(!has(t.${type}.name) || u.${type}.name == t.${type}.name)`]
    : [];

const identityOf = (target: Target) =>
  Object.entries(identities).flatMap(([type, fields]) => {
    const one = target[type as keyof Target] as Readonly<Record<string, unknown>> | undefined;
    return one ? [[type, ...fields.map((field) => one[field]), one['name']].join(' ')] : [];
  })[0];

const differentTargets: Rule = {
  rule: Object.entries(identities)
    .map(([type, fields]) => {
      const same = [...fields.map((field) => `u.${type}.${field} == t.${type}.${field}`), ...sameName(type)].join(
        ' && ',
      );
      return `self.targets.all(t, !has(t.${type}) || self.targets.exists_one(u, has(u.${type}) && ${same}))`;
    })
    .join(' && '),
  message: 'must not have two targets with the same place; remove one of them',
  fieldPath: '.targets',
  holds: ({ targets = [] }: Spec) => new Set(targets.map(identityOf)).size === targets.length,
};

/** The desired state of a ServicePublication. */
export const servicePublicationSpec = object(
  'Desired publication.',
  {
    service: optionalObjectName('Service in the same namespace whose addresses are published.'),
    gateway: optionalObjectName(
      'Gateway in the same namespace. Its addresses are published under the host names of its listeners.',
    ),
    httpRoute: optionalObjectName(
      'HTTPRoute in the same namespace. The addresses of the Gateways that accepted it are published under its host names.',
    ),
    addresses: enumeration(
      'Addresses of the Service. `Endpoints` are those of its ready Pods. `LoadBalancer` are those of its load balancer. `Nodes` are those of the ready nodes, for Services with node ports. Defaults to Endpoints.',
      ['Endpoints', 'LoadBalancer', 'Nodes'],
      { default: 'Endpoints' },
    ),
    targets: list('Places where the addresses are published.', target, { minItems: 1, maxItems: 8 }),
    onEmpty: enumeration(
      'Behavior while there is no address. `Keep` leaves the last known addresses. `Withdraw` removes them. Defaults to Keep.',
      ['Keep', 'Withdraw'],
      { default: 'Keep' },
    ),
    drain: duration(
      'Time for which clients may still use an address after it was withdrawn and its TTL is over. HAProxy finishes sessions for so long. Defaults to 30s.',
      { minimum: '0s', maximum: '1h', default: '30s' },
    ),
    policy: enumeration(
      'Changes that the operator may make. `Sync` creates, changes and deletes. `UpsertOnly` never deletes. `DryRun` writes nothing outside of the cluster, and the status shows what would change. Defaults to Sync.',
      ['Sync', 'UpsertOnly', 'DryRun'],
      { default: 'Sync' },
    ),
  },
  { rules: [oneSource, addressesOfService, namesWithService, namesOfRoutes, differentTargets] },
);

/** The kind ServicePublication: the addresses of a Service, for clients outside of the cluster. */
export const servicePublication = defineKind({
  group: 'reconstruct.dev',
  kind: 'ServicePublication',
  shortNames: ['pub'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Addresses of a Service, Gateway or HTTPRoute in DNS, files, HAProxy and etcd.',
      spec: servicePublicationSpec,
      status: servicePublicationStatus,
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName}`,
          message: `must have a name that fits into its owner records; use up to ${longestName} characters`,
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        {
          name: 'Addresses',
          type: 'string',
          jsonPath: '.status.summary',
          description: 'Addresses that are published.',
        },
        {
          name: 'Targets',
          type: 'string',
          jsonPath: '.status.published',
          description: 'Targets that have the addresses, out of all.',
        },
        {
          name: 'Since',
          type: 'date',
          jsonPath: '.status.since',
          description: 'Time since which all targets have the addresses.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});

export { servicePublicationStatus } from './publication/status.js';
