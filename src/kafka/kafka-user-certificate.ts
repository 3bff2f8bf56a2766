import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { certificate, certificateSpec, withDefaults } from '../../crds/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { kafkaObjectNames } from './naming/object-names.js';

/** Props of {@link KafkaUserCertificate}. */
export interface KafkaUserCertificateProps {
  /** The Secret with the certificate, which also names the Certificate. */
  readonly name: string;
  readonly namespace: string;
  /** The name of the KafkaCluster. */
  readonly cluster: string;
  readonly username: string;
}

/** A Certificate with which a user of a listener with mutual TLS logs in. */
export class KafkaUserCertificate extends Construct {
  readonly certificate: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, cluster, username }: KafkaUserCertificateProps) {
    super(scope, id);
    const issuer = { kind: 'Issuer' as const, name: kafkaObjectNames(cluster).issuer };
    const usages = ['digital signature', 'client auth'] as const;
    // Java reads the key and the certificate from one file.
    const additionalOutputFormats = [{ type: 'CombinedPEM' as const }];
    const names = { secretName: name, commonName: username };
    this.certificate = new KubeObject(this, 'certificate', {
      ...{ apiVersion: `${certificate.group}/v1alpha1`, kind: certificate.kind, metadata: { name, namespace } },
      ...{ spec: withDefaults(certificateSpec, { ...names, issuer, usages, additionalOutputFormats }) },
    });
  }
}
