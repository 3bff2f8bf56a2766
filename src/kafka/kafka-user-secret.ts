import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { propertiesText } from './config/properties.js';

/** A login with SCRAM, and the listener that accepts it. */
export interface KafkaLogin {
  readonly username: string;
  readonly password: string;
  /** Addresses of the listener, as in `bootstrap.servers`. */
  readonly bootstrapServers: string;
  readonly hasTls: boolean;
  /** The CA certificates of the listener, in PEM format. @default - clients trust those of their system */
  readonly trusted?: string | undefined;
}

/** Props of a {@link KafkaUserSecret}. */
export interface KafkaUserSecretProps extends KafkaLogin {
  readonly name: string;
  readonly namespace: string;
}

/** A Secret with everything that a client of a listener with SCRAM needs. */
export class KafkaUserSecret extends Construct {
  readonly secret: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, ...login }: KafkaUserSecretProps) {
    super(scope, id);
    const data = Object.fromEntries(
      Object.entries(kafkaLoginData(login)).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    );
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } };
    this.secret = new KubeObject(this, 'secret', { ...object, ...{ type: 'Opaque', data } });
  }
}

/**
 * The data of a Secret with everything that a client needs. `client.properties` expects `ca.crt` in the folder from which
 * the client starts.
 */
export function kafkaLoginData(login: KafkaLogin): Readonly<Record<string, string>> {
  const { username, password, bootstrapServers, hasTls, trusted } = login;
  const jaas = `org.apache.kafka.common.security.scram.ScramLoginModule required username=${quoted(username)} password=${quoted(password)};`;
  const properties = {
    'bootstrap.servers': bootstrapServers,
    'security.protocol': hasTls ? 'SASL_SSL' : 'SASL_PLAINTEXT',
    'sasl.mechanism': 'SCRAM-SHA-512',
    'sasl.jaas.config': jaas,
  };
  return {
    username,
    password,
    'bootstrap.servers': bootstrapServers,
    'sasl.jaas.config': jaas,
    'client.properties': clientProperties(properties, trusted !== undefined),
    ...(trusted !== undefined && { 'ca.crt': trusted }),
  };
}

/** The text of `client.properties`. @param hasTrusted there is a `ca.crt` in its folder, which the client trusts */
export function clientProperties(own: Readonly<Record<string, string>>, hasTrusted: boolean): string {
  const trust = { 'ssl.truststore.type': 'PEM', 'ssl.truststore.location': 'ca.crt' };
  return propertiesText({ ...own, ...(hasTrusted && trust) });
}

/** A text as Kafka reads it in a login: a person may choose any password, and a quote or a line break would end it. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
