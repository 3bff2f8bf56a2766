import type { GatewayResource } from '../../../../imports/index.js';
import type { LiveObject } from '../../../runtime/index.js';
import type { IssuerReference } from '../issuer-reference/issuer-index.js';

/** A Secret for a certificate, and the hosts that it is for. */
export interface SecretHosts {
  readonly secretName: string;
  readonly dnsNames: readonly string[];
}

/** The parts of a live Ingress that name hosts with TLS. */
export interface LiveIngress extends LiveObject {
  readonly spec?: {
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  };
}

const issuerAnnotation = 'reconstruct.dev/issuer';
const clusterIssuerAnnotation = 'reconstruct.dev/cluster-issuer';

/** The issuer in the annotations of an object. Undefined if it has none. */
export function issuerIn({ metadata }: LiveObject): Omit<IssuerReference, 'namespace'> | undefined {
  const { annotations = {} } = metadata;
  const [name, clusterName] = [annotations[issuerAnnotation], annotations[clusterIssuerAnnotation]];
  if (name) return { kind: 'Issuer', name };
  return clusterName ? { kind: 'ClusterIssuer', name: clusterName } : undefined;
}

/** The hosts of an Ingress by their Secrets. */
export function ingressHosts({ spec }: LiveIngress): readonly SecretHosts[] {
  const { tls = [] } = spec ?? {};
  return merged(tls.flatMap(({ hosts = [], secretName }) => (secretName ? [{ secretName, dnsNames: hosts }] : [])));
}

/** The hosts of the listeners of a Gateway that end TLS, by their Secrets in its namespace. */
export function gatewayHosts({ spec, metadata }: GatewayResource): readonly SecretHosts[] {
  return merged(
    spec.listeners.flatMap(({ hostname, tls }) => {
      if (!hostname || !tls || tls.mode === 'Passthrough') return [];
      const own = (tls.certificateRefs ?? []).filter(
        ({ kind = 'Secret', group = '', namespace = metadata.namespace }) =>
          kind === 'Secret' && group === '' && namespace === metadata.namespace,
      );
      return own.map(({ name }) => ({ secretName: name, dnsNames: [hostname] }));
    }),
  );
}

/** One entry for each Secret, without those that have no hosts. */
function merged(all: readonly SecretHosts[]): readonly SecretHosts[] {
  const names = [...new Set(all.map(({ secretName }) => secretName))].toSorted();
  return names.flatMap((secretName) => {
    const hosts = all.filter((one) => one.secretName === secretName).flatMap(({ dnsNames }) => dnsNames);
    return hosts.length > 0 ? [{ secretName, dnsNames: [...new Set(hosts)].toSorted() }] : [];
  });
}
