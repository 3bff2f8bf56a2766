import type {
  HTTPRouteSpecInput,
  HTTPRouteSpecRulesBackendRefsInput,
  HTTPRouteSpecRulesInput,
} from '../../imports/index.js';
import { suffixedName } from '../manifest/names.js';
import type { Manifest } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { servicePort } from './service.js';
import type { Variant } from './variants.js';

/** A reference to a Gateway. */
export interface GatewayRef {
  readonly name: string;
  /** The namespace of the Gateway. @default - the namespace of the workload that it serves */
  readonly namespace?: string | undefined;
}

/** True if the proxies of a Gateway run in the namespace, so that a Service there can select them. */
export function isGatewayOf(namespace: string | undefined, gateway: GatewayRef): boolean {
  return gateway.namespace === undefined || gateway.namespace === namespace;
}

/** The split of the requests of an Algorithm. */
export interface Split {
  /** The name of the Algorithm. */
  readonly owner: string;
  readonly gateway: GatewayRef;
  /** A host name in addition to the names of the Service. */
  readonly host?: string | undefined;
  /** The percentage of requests for the version on trial. Undefined without a trial. */
  readonly weight: number | undefined;
  /** Groups of requests that go to the version on trial while its weight is above 0. */
  readonly variants: readonly Variant[];
}

/** An HTTPRoute. */
export type HTTPRoute = Manifest & { readonly spec: HTTPRouteSpecInput };

/**
 * Splits the requests to the names of an Algorithm. Variants come first, because the first rule that matches applies.
 */
export function route(stable: Blueprint, split: Split): HTTPRoute {
  const { gateway, weight = 0 } = split;
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: metadataOf(stable),
    spec: {
      parentRefs: [gateway],
      hostnames: hostnames(stable, split),
      rules: [
        ...(weight > 0 ? split.variants.map((variant) => variantRule(variant)) : []),
        { backendRefs: backends(split) },
      ],
    },
  };
}

/**
 * The host names of the route. A Gateway of another namespace can serve several namespaces with a Service of the same
 * name, so the route then omits the short name.
 */
function hostnames({ name, namespace }: Blueprint, { gateway, host }: Split): readonly string[] {
  const short = isGatewayOf(namespace, gateway) ? [name] : [];
  const qualified =
    namespace === undefined ? [] : ['', '.svc', '.svc.cluster.local'].map((end) => `${name}.${namespace}${end}`);
  return [...short, ...qualified, ...(host === undefined ? [] : [host])];
}

function backends({ owner, weight }: Split): readonly HTTPRouteSpecRulesBackendRefsInput[] {
  const stable = { name: suffixedName(owner, 'stable'), port: servicePort };
  if (weight === undefined) return [stable];
  return [
    { ...stable, weight: 100 - weight },
    { name: suffixedName(owner, 'trial'), port: servicePort, weight },
  ];
}

function variantRule({ service, header }: Variant): HTTPRouteSpecRulesInput {
  const headers = Object.entries(header)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
  return {
    matches: [{ path: { type: 'PathPrefix', value: '/' }, headers }],
    backendRefs: [{ name: service, port: servicePort }],
  };
}
