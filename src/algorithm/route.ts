import type {
  HTTPRouteSpecInput,
  HTTPRouteSpecRulesBackendRefsInput,
  HTTPRouteSpecRulesInput,
} from '../../imports/index.js';
import { suffixedName } from '../names.js';
import type { Manifest } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { servicePort } from './service.js';
import type { Variant } from './variants.js';

/** A Gateway, wherever it is. */
export interface GatewayRef {
  readonly name: string;
  /** @default - the namespace of what it is to serve */
  readonly namespace?: string | undefined;
}

/** True of a Gateway whose proxies run in a namespace, where Services can lead to them. */
export function isGatewayOf(namespace: string | undefined, gateway: GatewayRef): boolean {
  return gateway.namespace === undefined || gateway.namespace === namespace;
}

/** How the requests of an Algorithm are split. */
export interface Split {
  /** The Algorithm's name. */
  readonly owner: string;
  readonly gateway: GatewayRef;
  /** A name beside those of its Service. */
  readonly host?: string | undefined;
  /** Per cent of the requests that go to the version on trial; undefined while there is none. */
  readonly weight: number | undefined;
  /** Requests that go to the version on trial, while it gets any. */
  readonly variants: readonly Variant[];
}

/** An HTTPRoute. */
export type HTTPRoute = Manifest & { readonly spec: HTTPRouteSpecInput };

/** Splits the requests to an Algorithm's names: those of a variant first, since the first rule that matches is the one. */
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
 * The names that it answers to. A Gateway of another namespace may serve two that have a Service of this name, so the
 * short one is left out there.
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
