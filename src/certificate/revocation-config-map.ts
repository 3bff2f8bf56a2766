import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';

/** Props of {@link RevocationConfigMap}. */
export interface RevocationConfigMapProps {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly key: string;
  /** The certificate revocation list in PEM format. */
  readonly list: string;
}

/** A ConfigMap with the certificate revocation list of a CA. */
export class RevocationConfigMap extends Construct {
  readonly configMap: ApiObject;

  constructor(scope: Construct, id: string, props: RevocationConfigMapProps) {
    super(scope, id);
    const { name, namespace, annotations, key, list } = props;
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, annotations, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
      ...{ data: { [key]: list } },
    });
  }
}
