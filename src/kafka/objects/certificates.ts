import { certificate, certificateSpec, issuer, issuerSpec, withDefaults } from '../../../crds/index.js';
import type { CertificateSpecInput, KafkaClusterSpec } from '../../../imports/index.js';
import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { hasOwnCertificate } from '../config/properties.js';
import { externalHosts, externalListeners } from '../external/addresses.js';
import type { KafkaIdentity } from '../naming/identity.js';
import {
  kafkaCertificateHosts,
  kafkaObjectNames,
  kafkaPrincipals,
  listenerCertificateName,
} from '../naming/object-names.js';

type WithSpec = Manifest & { readonly spec: object };

/** Addresses of load balancers, by listener. */
export type AssignedAddresses = Readonly<Record<string, readonly string[]>>;

/**
 * The Issuer of a KafkaCluster, and its Certificates: that of the nodes, that of the operator, and one for each listener
 * with another issuer or for other networks.
 */
export function kafkaCertificates(
  identity: KafkaIdentity,
  { listeners }: KafkaClusterSpec,
  assigned: AssignedAddresses = {},
): readonly WithSpec[] {
  const names = kafkaObjectNames(identity.name);
  const principals = kafkaPrincipals(identity.name);
  const own = { kind: 'Issuer' as const, name: names.issuer };
  const dnsNames = kafkaCertificateHosts(identity);
  const apiVersion = `${issuer.group}/v1alpha1`;
  const of = (secretName: string, spec: Omit<CertificateSpecInput, 'secretName'>): WithSpec => ({
    ...{ apiVersion, kind: certificate.kind, metadata: metadataOf(identity, secretName) },
    spec: withDefaults(certificateSpec, { secretName, ...spec }),
  });
  const usages = ['digital signature', 'server auth', 'client auth'] as const;
  return [
    {
      ...{ apiVersion, kind: issuer.kind, metadata: metadataOf(identity, names.issuer) },
      spec: withDefaults(issuerSpec, { ca: { commonName: `${identity.name} Kafka CA` } }),
    },
    of(names.nodeCertificate, { issuer: own, commonName: principals.nodes, dnsNames, usages }),
    of(names.operatorCertificate, {
      ...{ issuer: own, commonName: principals.operator, usages: ['digital signature', 'client auth'] },
    }),
    ...listeners.filter(hasOwnCertificate).flatMap((listener) => {
      const names = namesOf(listener, dnsNames, assigned[listener.name] ?? []);
      // While a load balancer has no address, there is nothing to certify.
      if (Object.keys(names).length === 0) return [];
      const { name, tls } = listener;
      return [of(listenerCertificateName(identity.name, name), { issuer: tls.issuer ?? own, ...names })];
    }),
  ];
}

/** The Secrets of the certificates that listeners have beside that of the nodes. */
export function kafkaListenerCertificates(
  cluster: string,
  { listeners }: Pick<KafkaClusterSpec, 'listeners'>,
): readonly string[] {
  return listeners.filter(hasOwnCertificate).map(({ name }) => listenerCertificateName(cluster, name));
}

/** The Secret with the certificate that a listener presents. Undefined without TLS. */
export function kafkaListenerCertificate(
  cluster: string,
  listener: KafkaClusterSpec['listeners'][number],
): string | undefined {
  if (!listener.tls.enabled) return undefined;
  return hasOwnCertificate(listener)
    ? listenerCertificateName(cluster, listener.name)
    : kafkaObjectNames(cluster).nodeCertificate;
}

/** Another issuer may sign no names of the Kubernetes cluster, and clients in other networks use none of them. */
function namesOf(
  listener: KafkaClusterSpec['listeners'][number],
  internal: readonly string[],
  assigned: readonly string[],
): Pick<CertificateSpecInput, 'dnsNames' | 'ipAddresses'> {
  const [external] = externalListeners({ listeners: [listener] });
  const { dnsNames: outside, ipAddresses } = external
    ? externalHosts(external, assigned)
    : { dnsNames: [], ipAddresses: [] };
  const dnsNames = [...(external && listener.tls.issuer ? [] : internal), ...outside];
  return { ...(dnsNames.length > 0 && { dnsNames }), ...(ipAddresses.length > 0 && { ipAddresses }) };
}
