import { certificate, certificateSpec, issuer, issuerSpec, withDefaults } from '../../../crds/index.js';
import type { CertificateSpecInput, KafkaClusterSpec } from '../../../imports/index.js';
import type { Manifest } from '../../plain.js';
import { metadataOf } from '../../workload/identity.js';
import type { KafkaIdentity } from '../identity.js';
import { kafkaCertificateHosts, kafkaObjectNames, kafkaPrincipals, listenerCertificateName } from '../object-names.js';

type WithSpec = Manifest & { readonly spec: object };

/**
 * The Issuer of a KafkaCluster, and its Certificates: that of the nodes, that of the operator, and one for each listener
 * with another issuer.
 */
export function kafkaCertificates(identity: KafkaIdentity, { listeners }: KafkaClusterSpec): readonly WithSpec[] {
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
    ...listeners.flatMap(({ name, tls }) => {
      if (!tls.enabled || !tls.issuer) return [];
      return [of(listenerCertificateName(identity.name, name), { issuer: tls.issuer, dnsNames })];
    }),
  ];
}
