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

/**
 * The default amounts of a container. A limit is never below the request. They are in a schema only as a sentence,
 * because the default of a request depends on the limit, and that of a limit on the request.
 */
export interface DefaultResources {
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly limits: { readonly cpu: string; readonly memory: string };
}

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
