import type { AlgorithmResource } from '../../../../imports/index.js';
import { type GatewayRef, gatewayName, isGatewayOf } from '../../../../src/index.js';
import { olderFirst } from '../../../runtime/index.js';

type Stated = Pick<AlgorithmResource, 'metadata' | 'spec'>;

/** An Algorithm whose route answers for host names of a Gateway. */
export interface Claimant {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  readonly gateway: Required<GatewayRef>;
}

/** The Algorithms that may have the host of an Algorithm. */
export interface HostClaimants {
  /** The Algorithms with the same host on the same Gateway. */
  readonly hostClaimants: readonly Claimant[];
  /** The Algorithm whose Service has the host as its name. */
  readonly hostService: Claimant | undefined;
}

/**
 * Why an Algorithm does not get its host; undefined if it does. The name of a Service belongs to its Algorithm. Any other
 * host belongs to the oldest Algorithm that claims it, as conflicting routes do in the Gateway API. All resources come to
 * the same decision, because it depends on their metadata and specs only.
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/#merging
 */
export function hostTaken(resource: Stated, { hostClaimants, hostService }: HostClaimants): string | undefined {
  const { host } = resource.spec;
  if (host === undefined) return undefined;
  const self = claimantOf(resource);
  if (hostService && isOther(hostService, self) && answersFor(hostService, host, self.gateway))
    return `${host} is the name of the Service of Algorithm ${titleOf(hostService)}, and both use Gateway ${gatewayOf(self)}; choose another host`;
  const [holder = self] = [self, ...hostClaimants].toSorted(olderFirst);
  if (!isOther(holder, self)) return undefined;
  return `The older Algorithm ${titleOf(holder)} has the host ${host} on Gateway ${gatewayOf(self)}; choose another host or another Gateway`;
}

/** The host of an Algorithm on its Gateway, as the value of an index. Without a lifecycle nothing answers for it. */
export function hostClaims(resource: Stated): readonly string[] {
  const { host, lifecycle } = resource.spec;
  return host === undefined || !lifecycle ? [] : [`${gatewayOf(claimantOf(resource))} ${host}`];
}

/** The Algorithm whose Service would have this name, in its own namespace or with that of another one. */
export function serviceNamedLike({ spec: { host, lifecycle }, metadata }: Stated) {
  const [name, namespace = metadata.namespace, ...more] = host?.split('.') ?? [];
  if (!lifecycle || name === undefined || namespace === undefined || more.length > 0) return undefined;
  return { namespace, name };
}

/** The Algorithm as it takes part in the decision about a host. */
export function claimantOf({ metadata, spec }: Stated): Claimant {
  const { namespace = '', name, creationTimestamp = '' } = metadata;
  const { name: gateway, namespace: place = namespace } = spec.gateway ?? { name: gatewayName };
  return { namespace, name, creationTimestamp, gateway: { name: gateway, namespace: place } };
}

/** True if the route of an Algorithm answers for the name of its Service on a Gateway. */
function answersFor({ namespace, gateway, ...claimant }: Claimant, host: string, on: Claimant['gateway']): boolean {
  if (gateway.name !== on.name || gateway.namespace !== on.namespace) return false;
  return host !== claimant.name || isGatewayOf(namespace, gateway);
}

function isOther(one: Claimant, other: Claimant): boolean {
  return one.namespace !== other.namespace || one.name !== other.name;
}

function titleOf({ namespace, name }: Claimant): string {
  return `${namespace}/${name}`;
}

function gatewayOf({ gateway }: Claimant): string {
  return `${gateway.namespace}/${gateway.name}`;
}
