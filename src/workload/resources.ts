import type { k8s } from 'cdk8s-plus-27';
import type { DefaultResources } from '../../crds/index.js';
import type { Plain } from '../manifest/plain.js';
import { canonicalQuantity, compareQuantities } from '../manifest/quantity.js';

type Amount = string | number;
type Resource = 'cpu' | 'memory';

/** Requests and limits of a container, as in a spec. */
export interface StatedResources {
  readonly requests?: Readonly<Partial<Record<Resource, Amount>>>;
  readonly limits?: Readonly<Partial<Record<Resource, Amount>>>;
}

/**
 * The requests and limits of a container. Both are always set, so that a namespace with a quota for them admits the Pod.
 * As in a Pod, a request defaults to the limit. A default limit is never below the request.
 */
export function containerResources(
  stated: StatedResources | undefined,
  defaults: DefaultResources,
): { readonly requests: Record<Resource, string>; readonly limits: Record<Resource, string> } {
  const cpu = bounds('cpu', stated, defaults);
  const memory = bounds('memory', stated, defaults);
  return {
    requests: { cpu: cpu.request, memory: memory.request },
    limits: { cpu: cpu.limit, memory: memory.limit },
  } satisfies Plain<k8s.ResourceRequirements>;
}

/**
 * The problems of stated resources: a request above its limit, which no node admits.
 * @param field path of the resources, such as `resources` or `backup.serverResources`
 */
export function requestProblems(field: string, { requests, limits }: StatedResources = {}): readonly string[] {
  return (['cpu', 'memory'] as const).flatMap((resource) => {
    const [request, limit] = [requests?.[resource], limits?.[resource]];
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return [];
    return [
      `${field}.requests.${resource}: Invalid value: ${JSON.stringify(request)}: must be at most limits.${resource}, ${limit}; lower requests.${resource} or raise limits.${resource}`,
    ];
  });
}

function bounds(resource: Resource, stated: StatedResources | undefined, { requests, limits }: DefaultResources) {
  const ofLimits = stated?.limits?.[resource];
  const request = stated?.requests?.[resource] ?? ofLimits ?? requests[resource];
  const limit = ofLimits ?? larger(limits[resource], request);
  return { request: canonicalQuantity(request), limit: canonicalQuantity(limit) };
}

function larger(a: Amount, b: Amount): Amount {
  return compareQuantities(a, b) < 0 ? b : a;
}
