import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';

/** Props of {@link TrustBundleConfigMap}. */
export interface TrustBundleConfigMapProps {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
  /** CA certificates in PEM format, concatenated. */
  readonly bundle: string;
  /** A store with the same certificates. @default - none */
  readonly store?: { readonly key: string /** In base64. */; readonly content: string } | undefined;
}

/** A ConfigMap with the CA certificates that clients trust. */
export class TrustBundleConfigMap extends Construct {
  readonly configMap: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, key, bundle, store }: TrustBundleConfigMapProps) {
    super(scope, id);
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
      ...{ data: { [key]: bundle }, ...(store && { binaryData: { [store.key]: store.content } }) },
    });
  }
}

/** Props of {@link UnchangedConfigMap}. */
export interface UnchangedConfigMapProps {
  readonly name: string;
  readonly namespace: string;
  readonly data?: Readonly<Record<string, string>> | undefined;
  /** In base64. */
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
}

/** A ConfigMap with the content that it has. */
export class UnchangedConfigMap extends Construct {
  readonly configMap: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, data, binaryData }: UnchangedConfigMapProps) {
    super(scope, id);
    const content = { ...(data && { data }), ...(binaryData && { binaryData }) };
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
      ...content,
    });
  }
}
