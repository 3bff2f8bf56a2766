import { lifecycle, sla } from './algorithm/lifecycle.js';
import { algorithmStatus } from './algorithm/status.js';
import { DNS_SUBDOMAIN, imageText, objectName } from './names.js';
import { imagePullSecrets, nodeSelector, tolerations } from './scheduling.js';
import {
  boolean,
  defineKind,
  integer,
  keyedList,
  list,
  map,
  object,
  quantity,
  type Rule,
  string,
} from './schema/index.js';

const dataKey = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' });

/** A key of a Secret or ConfigMap in the same namespace. */
const keyIn = (owner: 'Secret' | 'ConfigMap') =>
  object(
    `A key of a ${owner} in the same namespace.`,
    {
      name: objectName(`The ${owner}'s name.`),
      key: dataKey(`The key in the ${owner}.`),
      optional: boolean(`The server starts without the variable when the ${owner} or its key is missing.`, {
        optional: true,
      }),
    },
    { optional: true },
  );

const env = keyedList(
  'Environment variables of the server, in this order. None by default.',
  ['name'],
  object(
    'One environment variable.',
    {
      name: string("The variable's name.", { minLength: 1, maxLength: 256, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
      value: string('Its value; empty when neither `value` nor `valueFrom` is there.', {
        maxLength: 32_768,
        optional: true,
      }),
      valueFrom: object(
        'Where its value comes from.',
        { secretKeyRef: keyIn('Secret'), configMapKeyRef: keyIn('ConfigMap') },
        {
          optional: true,
          rules: [
            {
              rule: 'has(self.secretKeyRef) != has(self.configMapKeyRef)',
              message: 'needs exactly one source; set secretKeyRef or configMapKeyRef',
            },
          ],
        },
      ),
    },
    {
      rules: [
        {
          rule: '!(has(self.value) && has(self.valueFrom))',
          message: 'has two values; set value or valueFrom, not both',
        },
      ],
    },
  ),
  { maxItems: 256, optional: true },
);

const config = map(
  'Configuration files: each key is a file under /etc/algorithm, each value its content. A change replaces the pods. None by default.',
  string("The file's content.", { maxLength: 245_760 }),
  {
    maxProperties: 64,
    optional: true,
    rules: [
      {
        rule: "self.all(key, key.matches('^[-._a-zA-Z0-9]{1,253}$') && key != '.' && !key.startsWith('..'))",
        message: 'has a key that is no file name; use letters, digits, -, _ and . and do not begin with ..',
        messageExpression:
          "'key ' + self.filter(key, !key.matches('^[-._a-zA-Z0-9]{1,253}$') || key == '.' || key.startsWith('..'))[0] + ' is no file name; use letters, digits, -, _ and . and do not begin with ..'",
      },
      {
        rule: 'self.map(key, size(self[key])).sum() <= 245760',
        message: 'is too large for one ConfigMap; keep all files together below 245760 characters',
      },
    ],
  },
);

const probes = object(
  'How the server is watched: until the startup check passes, then for readiness and liveness.',
  {
    path: string(
      'An HTTP path that answers 2xx or 3xx on `port` when the server works. By default a TCP connection is enough.',
      {
        minLength: 1,
        maxLength: 1024,
        pattern: '^/\\S*$',
        optional: true,
      },
    ),
    startupSeconds: integer('Seconds that the server may take to start before it is restarted.', {
      minimum: 1,
      maximum: 86_400,
      default: 300,
    }),
    periodSeconds: integer('Seconds from one check to the next.', { minimum: 1, maximum: 3600, default: 10 }),
    timeoutSeconds: integer('Seconds that a check may take.', { minimum: 1, maximum: 3600, default: 1 }),
    failureThreshold: integer(
      'Failed checks in a row after which a server gets no requests, and after which it is restarted.',
      { minimum: 1, maximum: 100, default: 3 },
    ),
  },
  { default: {} },
);

const resources = object(
  'What one replica gets.',
  {
    cpu: quantity('CPU cores requested, as `500m` or `2`; there is no CPU limit.', { default: '100m' }),
    memory: quantity('Memory requested and at most used, as `512Mi`; a server that needs more is killed.', {
      default: '256Mi',
    }),
    gpu: string('The extended resource of a GPU, as `nvidia.com/gpu`. By default none is requested.', {
      minLength: 3,
      maxLength: 317,
      pattern: '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
      optional: true,
    }),
    gpuCount: integer('GPUs of that resource. One when `gpu` is set and this is not.', {
      minimum: 1,
      maximum: 1024,
      optional: true,
    }),
  },
  {
    default: {},
    rules: [
      {
        rule: '!has(self.gpuCount) || has(self.gpu)',
        message: 'has gpuCount without gpu; set gpu to the name of the extended resource, as nvidia.com/gpu',
        reason: 'FieldValueRequired',
        fieldPath: '.gpu',
      },
    ],
  },
);

const REPLICAS_IN_ORDER: Rule = {
  rule: 'self.minReplicas <= self.maxReplicas',
  message: 'minReplicas is more than maxReplicas; lower minReplicas or raise maxReplicas',
  messageExpression:
    "'minReplicas %d is more than maxReplicas %d; lower minReplicas or raise maxReplicas'.format([self.minReplicas, self.maxReplicas])",
  fieldPath: '.minReplicas',
};

const scaling = object(
  'Replicas that follow the load. By default `replicas` holds.',
  {
    minReplicas: integer('Replicas at the least.', { minimum: 1, maximum: 10_000, default: 1 }),
    maxReplicas: integer('Replicas at the most.', { minimum: 1, maximum: 10_000 }),
    targetCpuPercent: integer('CPU use to aim at, in per cent of `resources.cpu`, averaged over the replicas.', {
      minimum: 1,
      maximum: 100,
      default: 80,
    }),
    targetLatencyMs: integer('Latency to keep below, in milliseconds. By default latency does not scale.', {
      minimum: 1,
      maximum: 3_600_000,
      optional: true,
    }),
  },
  { optional: true, rules: [REPLICAS_IN_ORDER] },
);

const metrics = object(
  'Where the server tells its metrics in the Prometheus format. By default nothing is scraped.',
  {
    path: string('The HTTP path of the metrics.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^/\\S*$',
      default: '/metrics',
    }),
    port: integer('The TCP port of the metrics. By default `port` of the server.', {
      minimum: 1,
      maximum: 65_535,
      optional: true,
    }),
  },
  { optional: true },
);

const host = string(
  'A name of its own under which the gateway answers for it, as `reco.example.com`. By default the names of its Service alone.',
  {
    minLength: 1,
    maxLength: 253,
    pattern: DNS_SUBDOMAIN,
    optional: true,
    rules: [
      {
        rule: "!self.endsWith('.svc') && !self.endsWith('.svc.cluster.local')",
        message: 'is a name inside the cluster; its own it has anyway, use one as reco.example.com',
      },
    ],
  },
);

const gateway = object(
  'The Gateway that splits its requests. By default that of the namespace, which the operator makes.',
  {
    name: string("The Gateway's name.", { minLength: 1, maxLength: 63, pattern: DNS_SUBDOMAIN }),
    namespace: string("The Gateway's namespace. By default that of the Algorithm.", {
      minLength: 1,
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
      optional: true,
    }),
  },
  { optional: true },
);

/** A field that only a lifecycle gives a meaning. */
const needsLifecycle = (field: 'sla' | 'gateway' | 'host', why: string): Rule => ({
  rule: `!has(self.${field}) || has(self.lifecycle)`,
  message: `has ${field} without lifecycle: ${why}; add lifecycle, with canaryWeight 0 for no trials`,
  reason: 'FieldValueRequired',
  fieldPath: '.lifecycle',
});

const TARGET_FOR_LATENCY: Rule = {
  rule: '!has(self.lifecycle) || !has(self.lifecycle.latency) || (has(self.scaling) && has(self.scaling.targetLatencyMs))',
  message: 'has lifecycle.latency without a target; set scaling.targetLatencyMs, or remove lifecycle.latency',
  reason: 'FieldValueRequired',
  fieldPath: '.scaling.targetLatencyMs',
};

/** The desired state of an Algorithm. */
export const algorithmSpec = object(
  'What should run.',
  {
    image: string('The container image of the server. It runs as a user that is not root.', imageText),
    replicas: integer('Replicas to run. Ignored while `scaling` is set: the autoscaler then owns the number.', {
      minimum: 0,
      maximum: 10_000,
      default: 1,
    }),
    command: list(
      "Replaces the image's entry point. By default the image's own.",
      string('One word of the command.', { maxLength: 32_768 }),
      { maxItems: 256, optional: true },
    ),
    args: list(
      "Arguments of the command. By default the image's own.",
      string('One argument.', { maxLength: 32_768 }),
      {
        maxItems: 256,
        optional: true,
      },
    ),
    env,
    config,
    port: integer('The TCP port on which the server answers requests.', { minimum: 1, maximum: 65_535, default: 8080 }),
    probes,
    resources,
    scaling,
    metrics,
    imagePullSecrets,
    serviceAccountName: string("The pods' ServiceAccount. By default that of the namespace; no token is mounted.", {
      minLength: 1,
      maxLength: 253,
      pattern: DNS_SUBDOMAIN,
      optional: true,
    }),
    nodeSelector,
    tolerations,
    runAsUser: integer(
      "The user ID of the server. By default the image's own, which must then be a number and not 0.",
      {
        format: 'int64',
        minimum: 1,
        maximum: 2_147_483_647,
        optional: true,
      },
    ),
    terminationGracePeriodSeconds: integer('Seconds that a server gets to finish its requests before it is killed.', {
      format: 'int64',
      minimum: 1,
      maximum: 86_400,
      default: 30,
    }),
    lifecycle,
    sla,
    host,
    gateway,
  },
  {
    rules: [
      TARGET_FOR_LATENCY,
      needsLifecycle('sla', 'its requests are counted where a lifecycle splits them'),
      needsLifecycle('gateway', 'nothing would use it'),
      needsLifecycle('host', 'nothing would answer for it'),
    ],
  },
);

/** A model or algorithm that answers requests. */
export const algorithm = defineKind({
  group: 'ai.alien6.io',
  kind: 'Algorithm',
  shortNames: ['algo'],
  // In no category: `kubectl get all` shows workloads, and an Algorithm's Deployment is among them already.
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'A model or algorithm that answers requests.',
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
          description: 'The version that was promoted last.',
        },
        {
          name: 'Trial',
          type: 'string',
          jsonPath: '.status.trial.version',
          description: 'The version on trial; empty in its bake.',
        },
        {
          name: 'Weight',
          type: 'integer',
          jsonPath: '.status.trial.weight',
          description: 'Per cent of the requests that the version on trial is to get.',
        },
        {
          name: 'Success',
          type: 'number',
          jsonPath: '.status.trial.success',
          description: 'The share of its requests that succeeded.',
        },
        { name: 'Image', type: 'string', jsonPath: '.spec.image' },
        {
          name: 'Replicas',
          type: 'integer',
          jsonPath: '.status.readyReplicas',
          description: 'Replicas that answer requests.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
