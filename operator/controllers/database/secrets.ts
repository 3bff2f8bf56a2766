import type { Construct } from 'constructs';
import type { DatabaseSpec } from '../../../imports/index.js';
import { DatabaseSecrets, databaseRoles, type GeneratedSecrets, objectNames, toolLabel } from '../../../src/index.js';
import { createOnly, defined, type LiveSecret } from '../../runtime/index.js';
import type { Certified, CredentialsAnswer, KeyPair } from './ports/credentials.js';

type Password = keyof GeneratedSecrets['passwords'];

/** Secrets whose values are generated again if they are lost. */
type Repairable = 'superuser' | 'app' | 'internal' | 'certificate';

/** The current contents of the Secrets of a Database. */
export interface KnownSecrets {
  /** The usable passwords. */
  readonly passwords: Partial<GeneratedSecrets['passwords']>;
  readonly existing: ReadonlySet<Repairable>;
  /** Existing Secrets with a value that is missing, unusable or contradicts another. */
  readonly broken: ReadonlySet<Repairable>;
  /** Data of the Secret for applications, in base64. Undefined if the Secret does not exist. */
  readonly appData?: LiveSecret['data'];
  /** Undefined unless the certificate exists. */
  readonly certified?: Certified | undefined;
  /** An authority with its key that must still sign the first certificate. */
  readonly signer?: KeyPair | undefined;
  /** The Secret of the authority exists. */
  readonly hasAuthority: boolean;
  /** Names of the Secrets of an earlier version, by whose label another tool would delete them. */
  readonly labelled: readonly string[];
}

/** Reads the contents of the Secrets. */
export function knownSecrets(database: string, secrets: readonly LiveSecret[]): KnownSecrets {
  const names = objectNames(database);
  const named = (name: string) => secrets.find(({ metadata }) => metadata.name === name);
  const value = (name: string, key: string) => {
    const text = named(name)?.data?.[key];
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  };
  const pair = (name: string) => ({ certificate: value(name, 'tls.crt') ?? '', key: value(name, 'tls.key') ?? '' });
  const server = pair(names.certificate);
  const trusted = server.certificate && server.key ? value(names.certificate, 'ca.crt') || undefined : undefined;
  const { certificate, key } = pair(names.authority);
  // If the authority is lost, the certificates that it signed remain in use.
  const authority = { certificate: certificate || (trusted ?? ''), key };
  const password = (name: string, property: string) => usable(named(name)?.data?.[property]);
  const passwords = {
    superuser: password(names.superuser, 'password'),
    app: password(names.app, 'password'),
    replication: password(names.internal, 'replication-password'),
    rewind: password(names.internal, 'rewind-password'),
  };
  const app = named(names.app);
  const isBroken: Readonly<Record<Repairable, boolean>> = {
    superuser: passwords.superuser === undefined || value(names.superuser, 'username') !== databaseRoles.superuser,
    app:
      passwords.app === undefined ||
      withPassword(app?.data?.['uri'], passwords.app) !== app?.data?.['uri'] ||
      (trusted !== undefined && value(names.app, 'ca.crt') !== trusted),
    internal: passwords.replication === undefined || passwords.rewind === undefined,
    certificate: trusted === undefined,
  };
  const existing = (Object.keys(isBroken) as Repairable[]).filter((secret) => named(names[secret]));
  return {
    passwords: passwords as Partial<GeneratedSecrets['passwords']>,
    existing: new Set(existing),
    broken: new Set(existing.filter((secret) => isBroken[secret])),
    ...(app && { appData: app.data ?? {} }),
    certified: trusted === undefined ? undefined : { authority, server, trusted },
    ...(trusted === undefined && certificate && key && { signer: { certificate, key } }),
    hasAuthority: named(names.authority) !== undefined,
    labelled: secrets.flatMap(({ metadata }) => (metadata.labels?.[toolLabel] === database ? [metadata.name] : [])),
  };
}

/**
 * The password in a value of a Secret. Undefined if no instance could use it: empty, not UTF-8, or with a line break or
 * another control character, which the password file of PostgreSQL cannot hold.
 */
function usable(encoded: string | undefined): string | undefined {
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const text = bytes.toString('utf8');
  return bytes.length === 0 || control.test(text) || !Buffer.from(text).equals(bytes) ? undefined : text;
}

const control = /\p{Cc}/u;

/**
 * A connection URI with another password, both in base64. A text without a password stays as it is: users may have
 * written it for clients that have the password from elsewhere.
 */
function withPassword(uri: string | undefined, password: string): string | undefined {
  const text = Buffer.from(uri ?? '', 'base64').toString('utf8');
  const found = /^(postgres(?:ql)?:\/\/[^:@/]*:)(.+?)(@[^@/]*(?:\/.*)?)$/s.exec(text);
  if (!found || found[2] === encodeURIComponent(password)) return uri;
  return Buffer.from(`${found[1]}${encodeURIComponent(password)}${found[3]}`).toString('base64');
}

/** Passwords that no Secret has. */
export function missingPasswords({ passwords }: KnownSecrets): readonly Password[] {
  const all: readonly Password[] = ['superuser', 'app', 'replication', 'rewind'];
  return all.filter((name) => passwords[name] === undefined);
}

interface Making {
  readonly name: string;
  readonly bootstrap: DatabaseSpec['bootstrap'];
  readonly known: KnownSecrets;
  /** Credentials generated for the missing ones. Undefined if none were generated. */
  readonly drawn: CredentialsAnswer | undefined;
}

/**
 * Renders the Secrets. Existing Secrets keep their contents, and missing ones use the generated credentials. A Secret
 * with neither is left out. Only renewed certificates, and values that no instance could use, are replaced. The authority is
 * written first and signs the missing certificates afterwards. An authority without a key and without certificates is
 * replaced. An existing Secret is never left out because another is missing: the password of applications would be
 * lost.
 *
 * @returns true when all Secrets exist or are created now
 */
export function renderSecrets(scope: Construct, { name, bootstrap, known, drawn }: Making): boolean {
  const passwords = { ...drawn?.passwords, ...defined(known.passwords) };
  const certified = certifiedBy(known, drawn?.certified) ?? known.certified;
  const nothing = { certificate: '', key: '' };
  const filled = {
    passwords: { superuser: '', app: '', replication: '', rewind: '', ...passwords },
    certified: certified ?? { authority: known.signer ?? nothing, server: nothing },
  };
  const appData = known.appData && repairedApp(known.appData, passwords.app);
  const secrets = new DatabaseSecrets(scope, 'secrets', { name, bootstrap, drawn: filled, appData });
  secrets.certificate.node.addDependency(secrets.authority);
  // Both Secrets contain the certificate of the authority. At first, the authority may be regenerated until the
  // instance
  // certificate exists, so that one is written first. On renewal it is written last, as the sign that the rest is done.
  if (known.certified) secrets.certificate.node.addDependency(secrets.app);
  else secrets.app.node.addDependency(secrets.certificate);
  const isThere = (password: Password) => passwords[password] !== undefined;
  const isWhole = {
    superuser: isThere('superuser'),
    app: isThere('app') && certified !== undefined,
    internal: isThere('replication') && isThere('rewind'),
    authority:
      known.signer !== undefined || (certified !== undefined && (known.hasAuthority || certified !== known.certified)),
    certificate: certified !== undefined,
  };
  const repaired = [...known.broken].filter((secret) => isWhole[secret]);
  const changed = new Set<keyof DatabaseSecrets>([...repaired, ...renewedIn(known.certified, certified)]);
  for (const [key, is] of Object.entries(isWhole) as [keyof typeof isWhole, boolean][]) {
    // An apply of the same contents removes the label of an earlier version.
    const isLabelled = is && known.labelled.includes(secrets[key].name);
    if (!changed.has(key) && !isLabelled) createOnly(secrets[key]);
    const exists = key !== 'authority' && known.existing.has(key);
    if (!is && !exists) secrets.node.tryRemoveChild(secrets[key].node.id);
  }
  return isWhole.superuser && isWhole.app && isWhole.internal && isWhole.certificate;
}

/** The data of the Secret for applications with its password, also in the URI. */
function repairedApp(data: NonNullable<LiveSecret['data']>, password: string | undefined) {
  if (password === undefined) return data;
  const uri = withPassword(data['uri'], password);
  return { ...data, password: Buffer.from(password).toString('base64'), ...(uri !== undefined && { uri }) };
}

/** The generated certificates, if the existing authority signed them: instances would not trust another authority. */
function certifiedBy({ hasAuthority, certified, signer }: KnownSecrets, drawn: Certified | undefined) {
  const isFirst = hasAuthority && !certified;
  return isFirst && drawn?.authority.certificate !== signer?.certificate ? undefined : drawn;
}

/** The Secrets that a renewed certificate changes. */
function renewedIn(known: Certified | undefined, now: Certified | undefined): readonly (keyof DatabaseSecrets)[] {
  if (known === undefined || now === undefined || now === known) return [];
  const isSigner = now.authority.certificate !== known.authority.certificate;
  const isBelieved = now.trusted !== known.trusted;
  return ['certificate', ...(isSigner ? ['authority' as const] : []), ...(isBelieved ? ['app' as const] : [])];
}
