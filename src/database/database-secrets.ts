import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { metadataOf } from '../workload/identity.js';
import { type DatabaseRef, databaseIdentity } from './naming/identity.js';
import { objectNames } from './naming/object-names.js';
import { databasePorts, databaseRoles } from './naming/places.js';

/** A certificate and its private key, in PEM format. */
interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The generated passwords and certificates of a Database. */
export interface GeneratedSecrets {
  readonly passwords: Readonly<Record<'superuser' | 'app' | 'replication' | 'rewind', string>>;
  readonly certified: {
    readonly authority: KeyPair;
    readonly server: KeyPair;
    /** The trusted certificate authorities, in PEM format, concatenated. @default - the certificate of `authority` */
    readonly trusted?: string;
  };
}

/** Props of {@link DatabaseSecrets}. */
export interface DatabaseSecretsProps extends DatabaseRef {
  readonly bootstrap: Pick<DatabaseSpec['bootstrap'], 'database' | 'owner'>;
  readonly drawn: GeneratedSecrets;
  /**
   * The current data of the Secret for applications, in base64. Its existing keys keep their values, and only the
   * certificate authorities are written. @default - none: the Secret does not exist yet
   */
  readonly appData?: Readonly<Record<string, string>> | undefined;
}

/**
 * The Secrets of a Database. Create them only once, because neither PostgreSQL nor its clients would apply another
 * password. Only the certificates are renewed.
 *
 * @see DatabasePod for the Secrets that a Pod reads
 */
export class DatabaseSecrets extends Construct {
  readonly superuser: ApiObject;
  /** The Secret for applications. */
  readonly app: ApiObject;
  /** The Secret with the passwords that only the instances use. */
  readonly internal: ApiObject;
  /** The certificate authority. No Pod mounts it. */
  readonly authority: ApiObject;
  readonly certificate: ApiObject;

  constructor(scope: Construct, id: string, { bootstrap, drawn, appData, ...database }: DatabaseSecretsProps) {
    super(scope, id);
    const identity = databaseIdentity(this, database);
    const names = objectNames(identity.name);
    const { passwords, certified } = drawn;
    const { authority, server, trusted = authority.certificate } = certified;
    const add = (objectId: string, name: string, type: string, data: Data) =>
      new KubeObject(this, objectId, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: metadataOf(identity, name),
        ...{ type, data },
      });
    const superuser = { username: databaseRoles.superuser, password: passwords.superuser };
    const internal = { 'replication-password': passwords.replication, 'rewind-password': passwords.rewind };
    const host = `${names.rw}.${identity.namespace}.svc`;
    const access = encoded(accessOf(host, bootstrap, passwords.app));
    const app = { ...(appData ? keptOf(appData, access) : access), ...encoded({ 'ca.crt': trusted }) };
    const pair = { 'tls.crt': server.certificate, 'tls.key': server.key, 'ca.crt': trusted };
    const ca = { 'tls.crt': authority.certificate, 'tls.key': authority.key };
    this.superuser = add('superuser', names.superuser, 'kubernetes.io/basic-auth', encoded(superuser));
    this.app = add('app', names.app, 'Opaque', app);
    this.internal = add('internal', names.internal, 'Opaque', encoded(internal));
    this.authority = add('authority', names.authority, 'kubernetes.io/tls', encoded(ca));
    this.certificate = add('certificate', names.certificate, 'kubernetes.io/tls', encoded(pair));
  }
}

/** The data of a Secret, in base64. */
type Data = Readonly<Record<string, string>>;

/** Encodes texts as the API server returns them, so that a rendered Secret compares equal to the stored one. */
function encoded(texts: Readonly<Record<string, string>>): Data {
  const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  return Object.fromEntries(entries);
}

/** Leaves out keys that another field manager added, so that it keeps them. */
function keptOf(live: Data, ours: Data): Data {
  return Object.fromEntries(Object.entries(live).filter(([key]) => Object.hasOwn(ours, key)));
}

/** The connection data for applications, in parts and as one URI. */
function accessOf(host: string, { database, owner }: DatabaseSecretsProps['bootstrap'], password: string) {
  const port = String(databasePorts.postgresql);
  const uri = `postgresql://${owner}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=require`;
  return { host, port, dbname: database, user: owner, password, uri };
}
