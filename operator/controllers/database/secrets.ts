import type { Construct } from 'constructs';
import type { DatabaseSpec } from '../../../imports/index.js';
import { DatabaseSecrets, type GeneratedSecrets, objectNames } from '../../../src/index.js';
import { createOnly, type LiveSecret } from '../../runtime/index.js';
import type { Certified, CredentialsAnswer, KeyPair } from './ports/credentials.js';

type Password = keyof GeneratedSecrets['passwords'];

/** The current contents of the Secrets of a Database. */
export interface KnownSecrets {
  readonly passwords: Partial<GeneratedSecrets['passwords']>;
  /** Data of the Secret for applications, in base64. Undefined if the Secret does not exist. */
  readonly appData?: LiveSecret['data'];
  /** Undefined unless the certificate exists. */
  readonly certified?: Certified | undefined;
  /** An authority with its key that must still sign the first certificate. */
  readonly signer?: KeyPair | undefined;
  /** The Secret of the authority exists. */
  readonly hasAuthority: boolean;
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
  const trusted = value(names.certificate, 'ca.crt');
  const { certificate, key } = pair(names.authority);
  // If the authority is lost, the certificates that it signed remain in use.
  const authority = { certificate: certificate || (trusted ?? ''), key };
  const passwords: Readonly<Record<Password, string | undefined>> = {
    superuser: value(names.superuser, 'password'),
    app: value(names.app, 'password'),
    replication: value(names.internal, 'replication-password'),
    rewind: value(names.internal, 'rewind-password'),
  };
  return {
    passwords: passwords as Partial<GeneratedSecrets['passwords']>,
    ...(named(names.app) && { appData: named(names.app)?.data ?? {} }),
    certified: trusted === undefined ? undefined : { authority, server: pair(names.certificate), trusted },
    ...(trusted === undefined && certificate && key && { signer: { certificate, key } }),
    hasAuthority: named(names.authority) !== undefined,
  };
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
 * Renders the Secrets. Each is created once: existing Secrets keep their contents, and missing ones use the generated
 * credentials. A Secret with neither is left out. Only renewed certificates replace existing contents. The authority is
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
  const secrets = new DatabaseSecrets(scope, 'secrets', { name, bootstrap, drawn: filled, appData: known.appData });
  for (const secret of settledIn(secrets, known.certified, certified)) createOnly(secret);
  secrets.certificate.node.addDependency(secrets.authority);
  // Both Secrets contain the certificate of the authority. At first, the authority may be regenerated until the
  // instance
  // certificate exists, so that one is written first. On renewal it is written last, as the sign that the rest is done.
  if (known.certified) secrets.certificate.node.addDependency(secrets.app);
  else secrets.app.node.addDependency(secrets.certificate);
  const isThere = (password: Password) => passwords[password] !== undefined;
  const isWhole = {
    superuser: isThere('superuser'),
    app: known.appData !== undefined || (isThere('app') && certified !== undefined),
    internal: isThere('replication') && isThere('rewind'),
    authority:
      known.signer !== undefined || (certified !== undefined && (known.hasAuthority || certified !== known.certified)),
    certificate: certified !== undefined,
  };
  for (const [key, is] of Object.entries(isWhole)) {
    if (!is) secrets.node.tryRemoveChild(secrets[key as keyof typeof isWhole].node.id);
  }
  return isWhole.superuser && isWhole.app && isWhole.internal && isWhole.certificate;
}

/** The generated certificates, if the existing authority signed them: instances would not trust another authority. */
function certifiedBy({ hasAuthority, certified, signer }: KnownSecrets, drawn: Certified | undefined) {
  const isFirst = hasAuthority && !certified;
  return isFirst && drawn?.authority.certificate !== signer?.certificate ? undefined : drawn;
}

/** The Secrets that stay unchanged: all without a renewed certificate. */
function settledIn(secrets: DatabaseSecrets, known: Certified | undefined, now: Certified | undefined) {
  const { superuser, internal, app, authority, certificate } = secrets;
  const isRenewed = known !== undefined && now !== known;
  const isSigner = isRenewed && now?.authority.certificate !== known.authority.certificate;
  const isBelieved = isRenewed && now?.trusted !== known.trusted;
  return [
    ...[superuser, internal],
    ...(isRenewed ? [] : [certificate]),
    ...(isSigner ? [] : [authority]),
    ...(isBelieved ? [] : [app]),
  ];
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
