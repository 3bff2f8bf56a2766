import { object, quantity, type Rule } from '../schema/index.js';
import type { Definition } from '../schema/json.js';
import { named } from '../schema/schema.js';

const amountsOf = (description: string) =>
  object(
    description,
    {
      cpu: quantity('CPU cores, such as `500m` or `2`.', {
        message: 'must be an amount of CPU, such as 500m or 2',
        optional: true,
      }),
      memory: quantity('Memory, such as `1Gi`.', {
        message: 'must be an amount of memory, such as 512Mi or 1Gi',
        optional: true,
      }),
    },
    { optional: true },
  );

const amountsDefinition: Definition = { name: 'ResourceAmounts', json: amountsOf('Amounts of resources.').json };

const amounts = (description: string) => named(amountsDefinition, amountsOf(description));

const AMOUNTS = ['requests', 'limits'] as const;

/** Refuses a request above its limit, which no node admits. An invalid amount has a message of its own. */
const inOrder = (resource: 'cpu' | 'memory'): Rule => ({
  rule: `${AMOUNTS.map((of) => `!has(self.${of}) || !has(self.${of}.${resource}) || !isQuantity(string(self.${of}.${resource}))`).join(' || ')} || quantity(string(self.requests.${resource})).compareTo(quantity(string(self.limits.${resource}))) <= 0`,
  message: `must be at most limits.${resource}; lower requests.${resource} or raise limits.${resource}`,
  fieldPath: `.requests.${resource}`,
});

/** The default amounts of a container. A limit is never below the request. */
export interface DefaultResources {
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly limits: { readonly cpu: string; readonly memory: string };
}

/**
 * The default resources of each container. They are in a schema only as a sentence, because the default of a request
 * depends on the limit, and that of a limit on the request.
 */
export const defaultResources = {
  /** The server of an Algorithm. */
  server: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '256Mi' } },
  /** The proxies of a Gateway. */
  proxy: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '2', memory: '512Mi' } },
  /** PostgreSQL in an instance of a Database. */
  postgres: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } },
  /** Pods that create, verify or remove a backup. */
  backup: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '2', memory: '1Gi' } },
  /** pgBackRest as a server. */
  backupServer: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  /** A broker of a KafkaCluster. */
  kafkaBroker: { requests: { cpu: '250m', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
  /** A controller of a KafkaCluster. */
  kafkaController: { requests: { cpu: '100m', memory: '512Mi' }, limits: { cpu: '1', memory: '768Mi' } },
  /** A Job before or after the restart of a broker. */
  kafkaHook: { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  /** A member of an EtcdCluster. */
  etcd: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '2', memory: '1Gi' } },
  /** A worker of a TrainingJob. */
  trainingWorker: { requests: { cpu: '1', memory: '2Gi' }, limits: { cpu: '4', memory: '4Gi' } },
  /** The coordinator of a TrainingJob, which imports PyTorch. */
  trainingCoordinator: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } },
} as const satisfies Readonly<Record<string, DefaultResources>>;

/** The fields `requests` and `limits` of a container, with their defaults in the description. */
export function requestsAndLimits({ requests, limits }: DefaultResources) {
  return {
    requests: amounts(
      `Resources that a node must have free. Defaults to the limits, or to ${requests.cpu} of CPU and ${requests.memory} of memory without limits.`,
    ),
    limits: amounts(
      `Maximum resources. A container that needs more memory is killed. Defaults to ${limits.cpu} of CPU and ${limits.memory} of memory, or to the requests if these are higher.`,
    ),
  };
}

/** The rules of an object with {@link requestsAndLimits}. */
export const resourceRules: readonly Rule[] = [inOrder('cpu'), inOrder('memory')];
