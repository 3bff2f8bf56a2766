import type { Construct } from 'constructs';
import type { DatabaseSpec } from '../../../imports/index.js';
import { DatabaseSecrets, type GeneratedSecrets, objectNames } from '../../../src/index.js';
import { createOnly, type LiveSecret } from '../../runtime/index.js';
import type { Certified, CredentialsAnswer, KeyPair } from './ports/credentials.js';

type Password = keyof GeneratedSecrets['passwords'];

/** What the Secrets of a Database hold so far. */
export interface KnownSecrets {
  readonly passwords: Partial<GeneratedSecrets['passwords']>;
  /** What the Secret for applications has, in base64; undefined where there is none. */
  readonly appData?: LiveSecret['data'];
  /** Undefined unless the certificate is there. */
  readonly certified?: Certified | undefined;
  /** An authority whose certificate is not there, to be signed by it; with its key. */
  readonly signer?: KeyPair | undefined;
  /** There is a certificate of its authority. */
  readonly hasAuthority: boolean;
}

/** What is in which Secret. */
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
  // Whose authority is gone goes on with what it has signed.
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

/** The passwords that are in no Secret. */
export function missingPasswords({ passwords }: KnownSecrets): readonly Password[] {
  const all: readonly Password[] = ['superuser', 'app', 'replication', 'rewind'];
  return all.filter((name) => passwords[name] === undefined);
}

interface Making {
  readonly name: string;
  readonly bootstrap: DatabaseSpec['bootstrap'];
  readonly known: KnownSecrets;
  /** What was drawn for what is missing; undefined while nothing was. */
  readonly drawn: CredentialsAnswer | undefined;
}

/**
 * Renders the Secrets, each to be made once: what is there from what it holds, what is missing from what was drawn. What
 * is neither is left out. Certificates that were renewed take the place of those before, and nothing else does. The
 * authority is written first, and signs what is missing after it. Left alone without a key, it goes, and a new one comes.
 * What is there is never left out because another one is not seen: with the Secret of applications its password would go.
 *
 * @returns true when all of them are there or are made now
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
  // Both have the authority's certificate: at first it may be drawn anew until the instances' is there, and when it is
  // renewed, that the instances' is not yet says that the rest is to be done.
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

/** What was drawn, if the authority that is there has signed it: another one would not be believed. */
function certifiedBy({ hasAuthority, certified, signer }: KnownSecrets, drawn: Certified | undefined) {
  const isFirst = hasAuthority && !certified;
  return isFirst && drawn?.authority.certificate !== signer?.certificate ? undefined : drawn;
}

/** The Secrets that are left as they are: all but those of which something was renewed. */
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
