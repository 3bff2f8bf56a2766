import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { certificate, certificateSpec, withDefaults } from '../../crds/index.js';
import { KubeObject } from '../manifest/kube-object.js';

/** Props of {@link HostCertificate}. */
export interface HostCertificateProps {
  /** The Secret for the certificate, which also names the Certificate. */
  readonly secretName: string;
  readonly namespace: string;
  readonly dnsNames: readonly string[];
  readonly issuer: { readonly kind: 'Issuer' | 'ClusterIssuer'; readonly name: string };
}

/** A Certificate for the hosts that an Ingress or a Gateway serves. */
export class HostCertificate extends Construct {
  readonly certificate: ApiObject;

  constructor(scope: Construct, id: string, { secretName, namespace, dnsNames, issuer }: HostCertificateProps) {
    super(scope, id);
    this.certificate = new KubeObject(this, 'certificate', {
      apiVersion: `${certificate.group}/v1alpha1`,
      kind: certificate.kind,
      metadata: { name: secretName, namespace, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
      ...{ spec: withDefaults(certificateSpec, { secretName, issuer, dnsNames }) },
    });
  }
}
