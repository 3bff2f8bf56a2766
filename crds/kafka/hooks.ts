import { caBundle, httpsUrl } from '../certificates/webhook.js';
import { imageText, objectName } from '../fields/names.js';
import { requestsAndLimits, resourceRules } from '../fields/resources.js';
import { jobTemplate } from '../pod-template/job-template.js';
import { duration, integer, list, object, type Rule, string } from '../schema/index.js';
import type { Definition } from '../schema/json.js';
import { named } from '../schema/schema.js';
import { defaultKafkaHookResources } from './default-resources.js';

const http = object(
  'HTTP request. The hook has succeeded when the server answers with a status from 200 to 299.',
  {
    url: httpsUrl(
      'URL that gets a POST request with a JSON document. The operator must allow its host.',
      'https://hooks.example.com/kafka',
    ),
    caBundle,
    secretRef: object(
      'Secret with the key `token`, which the operator sends as a bearer token. Defaults to none.',
      { name: objectName('Name of the Secret.') },
      { optional: true },
    ),
  },
  { optional: true },
);

const job = object(
  'Job. The hook has succeeded when the Job is complete.',
  {
    image: string('Container image of the Job.', imageText),
    command: list(
      'Program and its arguments, such as `[sh, -c, ./pause-consumer.sh]`. Defaults to the program of the image.',
      string('Argument.', { minLength: 1, maxLength: 4096 }),
      { minItems: 1, maxItems: 64, optional: true },
    ),
    backoffLimit: integer('Number of Pods that may fail before the Job has failed. Defaults to 6.', {
      minimum: 0,
      maximum: 100,
      default: 6,
    }),
    resources: object('Resources of the container.', requestsAndLimits(defaultKafkaHookResources), {
      default: {},
      rules: resourceRules,
    }),
    podTemplate: jobTemplate({
      description: 'Settings of the Pods of the Job.',
      reserved: {
        labels: ['batch.kubernetes.io/job-name', 'batch.kubernetes.io/controller-uid', 'job-name', 'controller-uid'],
        envPrefixes: ['HOOK_'],
        volumes: ['tmp'],
        mountPaths: ['/tmp'],
      },
    }),
  },
  { optional: true },
);

interface Hook {
  readonly http?: object;
  readonly job?: object;
}

const ONE_ACTION: Rule = {
  rule: 'has(self.http) != has(self.job)',
  message: 'must have exactly one action; set http or job',
  holds: (hook: Hook) => (hook.http === undefined) !== (hook.job === undefined),
};

const actions = (description: string) => object(description, { http, job }, { optional: true, rules: [ONE_ACTION] });

const hookDefinition: Definition = {
  name: 'KafkaHook',
  page: { file: 'kafka-hook.md', title: 'Hook of a KafkaCluster' },
  json: actions('Action before or after a broker is restarted.').json,
};

const hook = (description: string) => named(hookDefinition, actions(description));

/** `spec.hooks`. */
export const hooks = object(
  'Actions before and after the operator restarts a broker. They delay the rollout and never cancel it. Defaults to none.',
  {
    preRestart: hook('Action before a broker is restarted. Defaults to none.'),
    postRestart: hook(
      'Action after a restarted broker serves, and before the next node is replaced. Defaults to none.',
    ),
    deadline: duration(
      'Time that each action has. After it, the rollout continues, and an event reports it. Defaults to 10m.',
      {
        minimum: '1s',
        maximum: '7d',
        default: '10m',
      },
    ),
  },
  { optional: true },
);
