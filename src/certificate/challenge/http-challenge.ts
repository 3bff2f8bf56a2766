import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../../manifest/kube-object.js';
import type { Manifest, ManifestMeta } from '../../manifest/plain.js';

/** What receives the requests for a host: a Gateway, or the controller of an IngressClass. */
export type HttpChallengeEntry =
  | {
      readonly gateway: {
        readonly name: string;
        /** @default - the namespace of the Certificate */
        readonly namespace?: string;
        /** The name of its listener. @default - all listeners */
        readonly sectionName?: string;
      };
    }
  | { readonly ingressClassName: string };

/** Props of {@link HttpChallenge}. */
export interface HttpChallengeProps {
  /** The name of all its objects. */
  readonly name: string;
  /** The namespace of the Certificate. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The DNS name or IP address to validate. Routes match no IP addresses, so that of an IP address has no host. */
  readonly host: string;
  readonly token: string;
  readonly entry: HttpChallengeEntry;
  /** Where the operator answers challenges. */
  readonly responder: {
    /** The IP address of the Pod that leads. */
    readonly address: string;
    readonly port: number;
  };
}

/**
 * Leads the request of one HTTP-01 challenge to the operator. The Service has no selector, and its EndpointSlice names the
 * leader. No Pod starts in the namespace, so a quota, an image or Pod security cannot delay a certificate.
 *
 * Only the exact path of the challenge is routed: other requests of the host go where they went before.
 */
export class HttpChallenge extends Construct {
  readonly service: ApiObject;
  readonly endpointSlice: ApiObject;
  /** An HTTPRoute or an Ingress. */
  readonly route: ApiObject;

  constructor(scope: Construct, id: string, props: HttpChallengeProps) {
    super(scope, id);
    const { name, namespace, labels, entry } = props;
    const metadata = { name, namespace, labels };
    this.service = new KubeObject(this, 'service', service(metadata));
    this.endpointSlice = new KubeObject(this, 'endpoint-slice', endpointSlice(metadata, props.responder));
    this.route = new KubeObject(
      this,
      'route',
      'gateway' in entry ? httpRoute(metadata, props, entry.gateway) : ingress(metadata, props, entry.ingressClassName),
    );
  }
}

/** The port of the Service. */
const port = 80;

function service(metadata: ManifestMeta): Manifest & { readonly spec: object } {
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'http', port, protocol: 'TCP' }] } };
}

function endpointSlice(metadata: ManifestMeta, { address, port: at }: HttpChallengeProps['responder']): Manifest {
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, 'kubernetes.io/service-name': metadata.name },
    },
    addressType: address.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'http', port: at, protocol: 'TCP' }],
  };
  return slice;
}

function pathOf({ token }: HttpChallengeProps): string {
  return `/.well-known/acme-challenge/${token}`;
}

function hostOf<T extends object>({ host }: HttpChallengeProps, fields: (host: string) => T): T | object {
  const isAddress = host.includes(':') || /^[\d.]+$/.test(host);
  return isAddress ? {} : fields(host);
}

function httpRoute(
  metadata: ManifestMeta,
  props: HttpChallengeProps,
  gateway: Extract<HttpChallengeEntry, { gateway: object }>['gateway'],
): Manifest & { readonly spec: object } {
  const matches = [{ path: { type: 'Exact', value: pathOf(props) } }];
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata,
    spec: {
      parentRefs: [gateway],
      ...hostOf(props, (host) => ({ hostnames: [host] })),
      rules: [{ matches, backendRefs: [{ name: metadata.name, port }] }],
    },
  };
}

function ingress(
  metadata: ManifestMeta,
  props: HttpChallengeProps,
  ingressClassName: string,
): Manifest & { readonly spec: object } {
  const backend = { service: { name: metadata.name, port: { number: port } } };
  const paths = [{ path: pathOf(props), pathType: 'Exact', backend }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { ingressClassName, rules: [{ ...hostOf(props, (host) => ({ host })), http: { paths } }] },
  };
}
