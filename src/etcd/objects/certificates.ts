import { certificate, certificateSpec, issuer, issuerSpec, withDefaults } from '../../../crds/index.js';
import type { CertificateSpecInput } from '../../../imports/index.js';
import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import type { EtcdIdentity } from '../naming/identity.js';
import { etcdCertificateHosts, etcdObjectNames, etcdPrincipals } from '../naming/object-names.js';

type WithSpec = Manifest & { readonly spec: object };

/** The Issuer of an EtcdCluster, and its Certificates: that of the members, that of the operator and that of clients. */
export function etcdCertificates(identity: EtcdIdentity): readonly WithSpec[] {
  const names = etcdObjectNames(identity.name);
  const principals = etcdPrincipals(identity.name);
  const own = { kind: 'Issuer' as const, name: names.issuer };
  const apiVersion = `${issuer.group}/v1alpha1`;
  const of = (secretName: string, spec: Omit<CertificateSpecInput, 'secretName' | 'issuer'>): WithSpec => ({
    ...{ apiVersion, kind: certificate.kind, metadata: metadataOf(identity, secretName) },
    spec: withDefaults(certificateSpec, { secretName, issuer: own, ...spec }),
  });
  const toClient = ['digital signature', 'client auth'] as const;
  return [
    {
      ...{ apiVersion, kind: issuer.kind, metadata: metadataOf(identity, names.issuer) },
      spec: withDefaults(issuerSpec, { ca: { commonName: `${identity.name} etcd CA` } }),
    },
    // Members are clients of each other, and the HTTP gateway of a member is a client of the member.
    of(names.memberCertificate, {
      commonName: principals.member,
      dnsNames: etcdCertificateHosts(identity),
      usages: ['digital signature', 'server auth', 'client auth'],
    }),
    of(names.operatorCertificate, { commonName: principals.operator, usages: toClient }),
    of(names.clientCertificate, { commonName: principals.client, usages: toClient }),
  ];
}
