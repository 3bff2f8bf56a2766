import type { Construct } from 'constructs';
import type { DatabaseSpec } from '../../../imports/index.js';
import { DatabaseSecrets, type Drawn, objectNames } from '../../../src/index.js';
import { type LiveSecret, makeOnce } from '../../runtime/index.js';
import type { CredentialsAnswer } from './credentials.js';

type Password = keyof Drawn['passwords'];

/** What the Secrets of a Database hold so far. */
export interface KnownSecrets {
  readonly passwords: Partial<Drawn['passwords']>;
  /** Undefined unless the certificate is there. */
  readonly certified?: Drawn['certified'] | undefined;
  /** There is a certificate of its authority. */
  readonly hasAuthority: boolean;
}

/** What is in which Secret. */
export function knownSecrets(database: string, secrets: readonly LiveSecret[]): KnownSecrets {
  const names = objectNames(database);
  const value = (name: string, key: string) => {
    const text = secrets.find(({ metadata }) => metadata.name === name)?.data?.[key];
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  };
  const pair = (name: string) => ({ certificate: value(name, 'tls.crt') ?? '', key: value(name, 'tls.key') ?? '' });
  const signer = value(names.certificate, 'ca.crt');
  const authority = signer === undefined ? undefined : { certificate: signer, key: pair(names.authority).key };
  const passwords: Readonly<Record<Password, string | undefined>> = {
    superuser: value(names.superuser, 'password'),
    app: value(names.app, 'password'),
    replication: value(names.internal, 'replication-password'),
    rewind: value(names.internal, 'rewind-password'),
  };
  return {
    passwords: passwords as Partial<Drawn['passwords']>,
    certified: authority && { authority, server: pair(names.certificate) },
    hasAuthority: secrets.some(({ metadata }) => metadata.name === names.authority),
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
 * is neither is left out. The authority is made first, and never signs again: left alone, it goes, and a new one comes.
 *
 * @returns true when all of them are there or are made now
 */
export function renderSecrets(scope: Construct, { name, bootstrap, known, drawn }: Making): boolean {
  const passwords = { ...drawn?.passwords, ...defined(known.passwords) };
  const isAlone = known.hasAuthority && !known.certified;
  const certified = known.certified ?? (isAlone ? undefined : drawn?.certified);
  const nothing = { certificate: '', key: '' };
  const filled = {
    passwords: { superuser: '', app: '', replication: '', rewind: '', ...passwords },
    certified: certified ?? { authority: nothing, server: nothing },
  };
  const secrets = new DatabaseSecrets(scope, 'secrets', { name, bootstrap, drawn: filled });
  makeOnce(secrets);
  secrets.certificate.node.addDependency(secrets.authority);
  secrets.app.node.addDependency(secrets.certificate); // it has the certificate of the authority, too
  const isThere = (password: Password) => passwords[password] !== undefined;
  const isWhole = {
    superuser: isThere('superuser'),
    app: isThere('app') && certified !== undefined,
    internal: isThere('replication') && isThere('rewind'),
    authority: certified !== undefined && (known.certified === undefined || known.hasAuthority),
    certificate: certified !== undefined,
  };
  for (const [key, is] of Object.entries(isWhole)) {
    if (!is) secrets.node.tryRemoveChild(secrets[key as keyof typeof isWhole].node.id);
  }
  return isWhole.superuser && isWhole.app && isWhole.internal && isWhole.certificate;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
