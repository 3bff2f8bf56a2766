import { defaultServerResources } from './algorithm/default-resources.js';
import { lifecycle, sla } from './algorithm/lifecycle.js';
import { algorithmStatus } from './algorithm/status.js';
import { DNS_SUBDOMAIN, imageText } from './fields/names.js';
import { requestsAndLimits, resourceRules } from './fields/resources.js';
import { podTemplate } from './pod-template/pod-template.js';
import type { Reserved } from './pod-template/reserved.js';
import { defineKind, integer, list, map, object, type Rule, string } from './schema/index.js';

const config = map(
  'Configuration files. Each key is the name of a file in /etc/algorithm, and each value is its content. A change replaces the Pods. Defaults to none.',
  string('Content of the file.', { maxLength: 245_760 }),
  {
    maxProperties: 64,
    optional: true,
    rules: [
      {
        rule: "self.all(key, key.matches('^[-._a-zA-Z0-9]{1,253}$') && key != '.' && !key.startsWith('..'))",
        message: 'must have file names as keys; use up to 253 letters, digits, -, _ and ., and do not start with ..',
        messageExpression:
          "'key ' + self.filter(key, !key.matches('^[-._a-zA-Z0-9]{1,253}$') || key == '.' || key.startsWith('..'))[0] + ' must be a file name; use up to 253 letters, digits, -, _ and ., and do not start with ..'",
      },
      {
        rule: 'self.map(key, size(self[key])).sum() <= 245760',
        message: 'must fit into one ConfigMap; use at most 245760 characters in all files together',
      },
    ],
  },
);

const probes = object(
  'Probes of the server. The startup probe runs until it passes. Then the readiness and liveness probes run.',
  {
    path: string(
      'HTTP path on `port` that answers 2xx or 3xx if the server works. By default the probes only open a TCP connection.',
      {
        minLength: 1,
        maxLength: 1024,
        pattern: '^/\\S*$',
        optional: true,
      },
    ),
    startupSeconds: integer(
      'Number of seconds that the server may take to start before it is restarted. Defaults to 300.',
      {
        minimum: 1,
        maximum: 86_400,
        default: 300,
      },
    ),
    periodSeconds: integer('Number of seconds between two checks. Defaults to 10.', {
      minimum: 1,
      maximum: 3600,
      default: 10,
    }),
    timeoutSeconds: integer('Number of seconds after which a check times out. Defaults to 1.', {
      minimum: 1,
      maximum: 3600,
      default: 1,
    }),
    failureThreshold: integer(
      'Number of consecutive failed checks after which a server gets no requests, and after which it is restarted. Defaults to 3.',
      { minimum: 1, maximum: 100, default: 3 },
    ),
  },
  { default: {} },
);

const resources = object(
  'Compute resources of one replica.',
  {
    ...requestsAndLimits(defaultServerResources),
    gpu: string('Name of the extended resource for GPUs, such as `nvidia.com/gpu`. By default no GPU is requested.', {
      minLength: 3,
      maxLength: 317,
      pattern: '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
      optional: true,
    }),
    gpuCount: integer('Number of GPUs of the resource `gpu`. Defaults to 1 if `gpu` is set.', {
      minimum: 1,
      maximum: 1024,
      optional: true,
    }),
  },
  {
    default: {},
    rules: [
      ...resourceRules,
      {
        rule: '!has(self.gpuCount) || has(self.gpu)',
        message: 'must be set if gpuCount is set; use the name of the extended resource, such as nvidia.com/gpu',
        reason: 'FieldValueRequired',
        fieldPath: '.gpu',
      },
    ],
  },
);

const REPLICAS_IN_ORDER: Rule = {
  rule: 'self.minReplicas <= self.maxReplicas',
  message: 'minReplicas must be at most maxReplicas; lower minReplicas or raise maxReplicas',
  messageExpression:
    "'minReplicas %d must be at most maxReplicas %d; lower minReplicas or raise maxReplicas'.format([self.minReplicas, self.maxReplicas])",
  fieldPath: '.minReplicas',
};

const scaling = object(
  'Limits and targets of the autoscaler. By default there is none, and `replicas` sets the number of replicas.',
  {
    minReplicas: integer('Minimum number of replicas. Defaults to 1.', { minimum: 1, maximum: 10_000, default: 1 }),
    maxReplicas: integer('Maximum number of replicas.', { minimum: 1, maximum: 10_000 }),
    targetCpuPercent: integer(
      'Target CPU utilization, as a percentage of `resources.requests.cpu`, averaged over the replicas. Defaults to 80.',
      {
        minimum: 1,
        maximum: 100,
        default: 80,
      },
    ),
    targetLatencyMs: integer(
      'Target latency in milliseconds. The latency should stay below it. By default latency does not scale the replicas.',
      {
        minimum: 1,
        maximum: 3_600_000,
        optional: true,
      },
    ),
  },
  { optional: true, rules: [REPLICAS_IN_ORDER] },
);

const metrics = object(
  'Endpoint where the server exposes metrics in the Prometheus format. By default nothing is scraped.',
  {
    path: string('HTTP path of the metrics. Defaults to /metrics.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^/\\S*$',
      default: '/metrics',
    }),
    port: integer('TCP port of the metrics. Defaults to `port` of the server.', {
      minimum: 1,
      maximum: 65_535,
      optional: true,
    }),
  },
  { optional: true },
);

const host = string(
  'Host name under which the gateway serves the Algorithm, such as `reco.example.com`. By default the gateway serves only the names of its Service.',
  {
    minLength: 1,
    maxLength: 253,
    pattern: DNS_SUBDOMAIN,
    optional: true,
    rules: [
      {
        rule: "!self.endsWith('.svc') && !self.endsWith('.svc.cluster.local')",
        message:
          'must not end with .svc or .svc.cluster.local, because the names of the Service are served anyway; use a name such as reco.example.com',
      },
    ],
  },
);

const gateway = object(
  'Gateway that splits the requests. Defaults to the Gateway of the namespace, which the operator creates.',
  {
    name: string('Name of the Gateway.', { minLength: 1, maxLength: 63, pattern: DNS_SUBDOMAIN }),
    namespace: string('Namespace of the Gateway. Defaults to the namespace of the Algorithm.', {
      minLength: 1,
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
      optional: true,
    }),
  },
  { optional: true },
);

/** Refuses a field that has no effect without a lifecycle. */
const needsLifecycle = (field: 'sla' | 'gateway' | 'host', why: string): Rule => ({
  rule: `!has(self.${field}) || has(self.lifecycle)`,
  message: `must be set if ${field} is set, because ${why}; add lifecycle, with canaryWeight 0 for no trials`,
  reason: 'FieldValueRequired',
  fieldPath: '.lifecycle',
});

const TARGET_FOR_LATENCY: Rule = {
  rule: '!has(self.lifecycle) || !has(self.lifecycle.latency) || (has(self.scaling) && has(self.scaling.targetLatencyMs))',
  message: 'must be set if lifecycle.latency is set; set scaling.targetLatencyMs, or remove lifecycle.latency',
  reason: 'FieldValueRequired',
  fieldPath: '.scaling.targetLatencyMs',
};

const WITHOUT_CPU = (amounts: 'requests' | 'limits') =>
  `has(self.resources.${amounts}) && has(self.resources.${amounts}.cpu) && isQuantity(string(self.resources.${amounts}.cpu)) && quantity(string(self.resources.${amounts}.cpu)).compareTo(quantity('0')) == 0`;

/** The autoscaler divides by the request, which defaults to the limit. An invalid amount has a message of its own. */
const CPU_FOR_SCALING: Rule = {
  rule: `!has(self.scaling) || !(has(self.resources.requests) && has(self.resources.requests.cpu) ? ${WITHOUT_CPU('requests')} : ${WITHOUT_CPU('limits')})`,
  message:
    'must be above 0 if scaling is set, because the autoscaler scales by a percentage of it; use an amount such as 100m',
  fieldPath: '.resources.requests.cpu',
};

/** The names that the Pods of an Algorithm use. */
const reserved: Reserved = {
  annotations: ['prometheus.io/scrape', 'prometheus.io/path', 'prometheus.io/port'],
  volumes: ['tmp', 'config'],
  mountPaths: ['/tmp', '/etc/algorithm'],
};

/** The desired state of an Algorithm. */
export const algorithmSpec = object(
  'Desired state of the Algorithm.',
  {
    image: string('Container image of the server. The server runs as a user other than root.', imageText),
    replicas: integer(
      'Number of replicas. Ignored while `scaling` is set, because the autoscaler then sets the number. Defaults to 1.',
      {
        minimum: 0,
        maximum: 10_000,
        default: 1,
      },
    ),
    command: list(
      'Command that replaces the entry point of the image. Defaults to the entry point of the image.',
      string('Part of the command: the program, or one of its arguments.', { maxLength: 32_768 }),
      { maxItems: 256, optional: true },
    ),
    args: list(
      'Arguments of the command. Defaults to the arguments of the image.',
      string('Argument of the command.', { maxLength: 32_768 }),
      {
        maxItems: 256,
        optional: true,
      },
    ),
    config,
    port: integer('TCP port on which the server answers requests. Defaults to 8080.', {
      minimum: 1,
      maximum: 65_535,
      default: 8080,
    }),
    probes,
    resources,
    scaling,
    metrics,
    podTemplate: podTemplate({
      description: 'Settings of the Pods. By default the operator decides all of them.',
      container: 'the server',
      reserved,
      spread: 'Without `topologySpreadConstraints`, the Pods are spread over zones, as far as they have room.',
    }),
    terminationGracePeriodSeconds: integer(
      'Number of seconds that a server has to finish its requests before it is killed. Defaults to 30.',
      {
        format: 'int64',
        minimum: 1,
        maximum: 86_400,
        default: 30,
      },
    ),
    lifecycle,
    sla,
    host,
    gateway,
  },
  {
    rules: [
      TARGET_FOR_LATENCY,
      CPU_FOR_SCALING,
      needsLifecycle('sla', 'requests are counted only if a lifecycle splits them'),
      needsLifecycle('gateway', 'nothing else uses the Gateway'),
      needsLifecycle('host', 'nothing else answers for the host'),
    ],
  },
);

/** The kind Algorithm: a model or algorithm that answers requests. */
export const algorithm = defineKind({
  group: 'ai.alien6.io',
  kind: 'Algorithm',
  shortNames: ['algo'],
  categories: ['reconstruct'],
  // Not in the category `all`: `kubectl get all` shows workloads, and the Deployment of an Algorithm is already one of them.
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Model or algorithm that answers requests.',
      spec: algorithmSpec,
      status: algorithmStatus,
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        {
          name: 'Stable',
          type: 'string',
          jsonPath: '.status.stable.version',
          description: 'Version that was promoted last.',
        },
        {
          name: 'Trial',
          type: 'string',
          jsonPath: '.status.trial.version',
          description: 'Version on trial. Empty during its bake.',
        },
        {
          name: 'Weight',
          type: 'integer',
          jsonPath: '.status.trial.weight',
          description: 'Desired percentage of requests for the version on trial.',
        },
        {
          name: 'Success',
          type: 'number',
          jsonPath: '.status.trial.success',
          description: 'Fraction of requests to the version on trial that succeeded.',
        },
        { name: 'Image', type: 'string', jsonPath: '.spec.image' },
        {
          name: 'Replicas',
          type: 'integer',
          jsonPath: '.status.readyReplicas',
          description: 'Number of replicas that answer requests.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
