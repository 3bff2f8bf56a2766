import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import { metadataOf } from '../workload/identity.js';
import { type DatabaseRef, databaseIdentity } from './identity.js';
import { objectNames } from './object-names.js';
import { databasePorts, databaseRoles } from './places.js';

/** A certificate and its private key, PEM. */
interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What was drawn by lot for a Database. */
export interface GeneratedSecrets {
  readonly passwords: Readonly<Record<'superuser' | 'app' | 'replication' | 'rewind', string>>;
  readonly certified: {
    readonly authority: KeyPair;
    readonly server: KeyPair;
    /** Authorities that are believed, PEM, one after the other. @default - that one */
    readonly trusted?: string;
  };
}

/** Whose Secrets they are, and what is in them. */
export interface DatabaseSecretsProps extends DatabaseRef {
  readonly bootstrap: Pick<DatabaseSpec['bootstrap'], 'database' | 'owner'>;
  readonly drawn: GeneratedSecrets;
  /**
   * The data of the Secret for applications as it is by now, in base64: of its keys those that are there stay as they are,
   * and the authorities alone are written. @default - there is none yet
   */
  readonly appData?: Readonly<Record<string, string>> | undefined;
}

/**
 * The Secrets of a Database. They are to be made once: neither PostgreSQL nor who uses it would hear of another password.
 * Certificates alone are renewed.
 *
 * @see DatabasePod which Pod reads which of them
 */
export class DatabaseSecrets extends Construct {
  readonly superuser: ApiObject;
  /** For applications. */
  readonly app: ApiObject;
  /** For the instances among themselves. */
  readonly internal: ApiObject;
  /** The authority, which no Pod has. */
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

/** What is in a Secret, in base64. */
type Data = Readonly<Record<string, string>>;

/** As a Secret is told back: what is rendered compares equal to it. */
function encoded(texts: Readonly<Record<string, string>>): Data {
  const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  return Object.fromEntries(entries);
}

/** What somebody added is left out, and so stays his. */
function keptOf(live: Data, ours: Data): Data {
  return Object.fromEntries(Object.entries(live).filter(([key]) => Object.hasOwn(ours, key)));
}

/** How an application connects, in parts and as one address. */
function accessOf(host: string, { database, owner }: DatabaseSecretsProps['bootstrap'], password: string) {
  const port = String(databasePorts.postgresql);
  const uri = `postgresql://${owner}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=require`;
  return { host, port, dbname: database, user: owner, password, uri };
}
