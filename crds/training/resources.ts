import { map, object, quantity, type Rule } from '../schema/index.js';
import { defaultTrainingWorkerResources } from './default-resources.js';

const NAME = '^(cpu|memory|ephemeral-storage|[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$';

type Amounts = Readonly<Record<string, string | number>>;

const NAMES: Rule = {
  rule: `self.all(name, name.matches('${NAME}'))`,
  message:
    'must have cpu, memory, ephemeral-storage or the name of a device with its domain as keys, such as nvidia.com/gpu; correct the name',
  messageExpression: `'key ' + self.filter(name, !name.matches('${NAME}'))[0] + ' must be cpu, memory, ephemeral-storage or the name of a device with its domain, such as nvidia.com/gpu; correct the name'`,
  holds: (amounts: Amounts) => Object.keys(amounts).every((name) => new RegExp(NAME).test(name)),
};

const amounts = (description: string) =>
  map(
    description,
    quantity('Amount of the resource, such as `4`, `500m` or `16Gi`.', {
      message: 'must be an amount, such as 4, 500m or 16Gi',
    }),
    { maxProperties: 16, optional: true, rules: [NAMES] },
  );

const WITHIN_LIMIT =
  '(!(name in self.limits) || !isQuantity(string(self.requests[name])) || !isQuantity(string(self.limits[name])) || quantity(string(self.requests[name])).compareTo(quantity(string(self.limits[name]))) <= 0)';
const ABOVE_LIMIT = `self.requests.filter(name, !${WITHIN_LIMIT})[0]`;

/** Refuses a request above its limit, which no node admits. */
const IN_ORDER: Rule = {
  rule: `!has(self.requests) || !has(self.limits) || self.requests.all(name, ${WITHIN_LIMIT})`,
  message: 'must be at most the limit of the same resource; lower the request or raise the limit',
  messageExpression: `${ABOVE_LIMIT} + ' of ' + string(self.requests[${ABOVE_LIMIT}]) + ' must be at most the limit, which is ' + string(self.limits[${ABOVE_LIMIT}]) + '; lower the request or raise the limit'`,
  fieldPath: '.requests',
};

const isDevice = (name: string) => name.includes('/');

interface Stated {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

/** A device cannot be shared or overcommitted, so Kubernetes refuses a request that is not the limit. */
const DEVICES_IN_LIMITS: Rule = {
  rule: "!has(self.requests) || self.requests.all(name, !name.contains('/'))",
  message: 'must not have devices, because their request is always their limit; set limits instead',
  messageExpression:
    "'key ' + self.requests.filter(name, name.contains('/'))[0] + ' must not be a device, because the request of a device is always its limit; set limits instead'",
  fieldPath: '.requests',
  holds: ({ requests = {} }: Stated) => !Object.keys(requests).some(isDevice),
};

const { requests, limits } = defaultTrainingWorkerResources;

/** `spec.resources`. */
export const resources = object(
  'Resources of the container of each worker.',
  {
    requests: amounts(
      `Resources that a node must have free. Defaults to the limits, or to ${requests.cpu} of CPU and ${requests.memory} of memory without limits.`,
    ),
    limits: amounts(
      `Maximum resources, and the devices of each worker, such as \`nvidia.com/gpu\`. Defaults to ${limits.cpu} of CPU and ${limits.memory} of memory, or to the requests if these are higher.`,
    ),
  },
  { default: {}, rules: [IN_ORDER, DEVICES_IN_LIMITS] },
);
