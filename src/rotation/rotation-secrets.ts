import type { ApiObject } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { suffixedName } from '../manifest/names.js';
import type { Credential } from './credential-hash.js';

/** Where a login works. */
export interface LoginServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Trusted certificate authorities, PEM. @default - clients trust those of their system */
  readonly authority?: string | undefined;
}

/** Props of {@link RotationSecrets}. */
export interface RotationSecretsProps {
  /** The name of the SecretRotation. */
  readonly name: string;
  /** The Secret of the consumers. */
  readonly secretName: string;
  /** @default - none: the first credential does not work yet */
  readonly current?: Credential | undefined;
  /** The credential that replaces the current one when it works. @default - none */
  readonly next?: Credential | undefined;
  /** Identifies the credential that the current one has replaced. @default - none */
  readonly replaces?: string | undefined;
  /** The data of the Secret of the consumers, by key. @default - it is not written */
  readonly data?: Credential | undefined;
}

/** The name of the Secret in which the operator keeps the credentials. @param rotation name of the SecretRotation */
export function rotationStateName(rotation: string): string {
  return suffixedName(rotation, 'rotation');
}

/**
 * The two Secrets of a SecretRotation: the one that its consumers use, and the one in which the operator keeps the
 * current and the next credential.
 */
export class RotationSecrets extends Construct {
  readonly state: ApiObject;
  /** Undefined without `data`. */
  readonly target: ApiObject | undefined;

  constructor(scope: Construct, id: string, props: RotationSecretsProps) {
    super(scope, id);
    const { name, secretName, current, next, replaces, data } = props;
    const { namespace } = Chart.of(this);
    const add = (objectId: string, secret: string, content: Credential) =>
      new KubeObject(this, objectId, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: secret,
          ...(namespace !== undefined && { namespace }),
          labels: { 'app.kubernetes.io/managed-by': 'reconstruct', 'reconstruct.dev/rotation': name },
        },
        ...{ type: 'Opaque', data: encoded(content) },
      });
    const kept = {
      ...(current && prefixed('current', current)),
      ...(next && prefixed('next', next)),
      ...(replaces !== undefined && { replaces }),
    };
    this.state = add('state', rotationStateName(name), kept);
    this.target = data && add('target', secretName, data);
    // A credential is kept before anybody uses it.
    this.target?.node.addDependency(this.state);
  }
}

/** What consumers need to connect with a login: in parts, and as one URI. */
export function loginData({ username = '', password = '' }: Credential, server: LoginServer): Credential {
  const { host, database, authority } = server;
  const port = String(server.port);
  const address = host.includes(':') ? `[${host}]` : host;
  const uri = `postgresql://${username}:${encodeURIComponent(password)}@${address}:${port}/${database}?sslmode=require`;
  const trusted: Credential = authority === undefined ? {} : { 'ca.crt': authority };
  // Clients of a Database know `user`, and those of a Secret of type kubernetes.io/basic-auth `username`.
  return { host, port, dbname: database, user: username, username, password, uri, ...trusted };
}

/** The credential that the operator keeps under a prefix. Undefined if there is none. */
export function keptCredential(prefix: 'current' | 'next', data: Credential): Credential | undefined {
  const start = `${prefix}.`;
  const own = Object.entries(data).filter(([key]) => key.startsWith(start));
  return own.length === 0 ? undefined : Object.fromEntries(own.map(([key, value]) => [key.slice(start.length), value]));
}

function prefixed(prefix: 'current' | 'next', credential: Credential): Credential {
  return Object.fromEntries(Object.entries(credential).map(([key, value]) => [`${prefix}.${key}`, value]));
}

/** Encodes texts as the API server returns them, so that a rendered Secret compares equal to the stored one. */
function encoded(texts: Credential): Credential {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const),
  );
}
