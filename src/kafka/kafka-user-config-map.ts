import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { suffixedName } from '../manifest/names.js';
import { clientProperties } from './kafka-user-secret.js';

/** The ConfigMap of a user with a certificate, by the name of its Secret: applications have ConfigMaps of their own name. */
export function kafkaClientName(secret: string): string {
  return suffixedName(secret, 'client');
}

/** Props of a {@link KafkaUserConfigMap}. */
export interface KafkaUserConfigMapProps {
  readonly name: string;
  readonly namespace: string;
  /** Addresses of the listener, as in `bootstrap.servers`. */
  readonly bootstrapServers: string;
  /** Clients trust the `ca.crt` of the Secret. Otherwise they trust the CA certificates of their system. */
  readonly trustsCluster: boolean;
}

/**
 * The settings of a client that logs in with the certificate of its Secret. `client.properties` expects the files of the
 * Secret in the folder from which the client starts.
 */
export class KafkaUserConfigMap extends Construct {
  readonly configMap: ApiObject;

  constructor(scope: Construct, id: string, props: KafkaUserConfigMapProps) {
    super(scope, id);
    const { name, namespace, bootstrapServers, trustsCluster } = props;
    const properties = {
      'bootstrap.servers': bootstrapServers,
      'security.protocol': 'SSL',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': 'tls-combined.pem',
    };
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
      ...{
        data: {
          'bootstrap.servers': bootstrapServers,
          'client.properties': clientProperties(properties, trustsCluster),
        },
      },
    });
  }
}
