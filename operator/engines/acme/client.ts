import { createPrivateKey } from 'node:crypto';
import type { Client } from 'acme-client';
import { publicKeyOf } from '../../certificates/reading.js';
import { type AcmeServer, accountKey, accountQuestion } from '../../controllers/certificates/ports/acme.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { PerformOptions, SecretData, SourceCallOptions } from '../../runtime/ports/external-port.js';
import type { AccountAnnouncer } from './account-announcer.js';
import type { ProblemError } from './problems.js';
import { exchanging, library, type TransportOptions } from './transport.js';

/** What a question or a call gets from the runtime. */
export type CallOptions = SourceCallOptions & Partial<Pick<PerformOptions, 'mayLeave'>>;

/** How the operator uses accounts. */
export interface ClientOptions extends TransportOptions {
  /** Hears of each answer that contradicts an account. */
  readonly accounts: AccountAnnouncer;
}

/** The server, and the account if it is known. */
export interface Connection extends AcmeServer {
  /** URL. @default - requests name the public key instead */
  readonly account?: string;
}

/**
 * Uses an account at a server.
 * @throws {ProblemError} for an error response
 * @throws {CallError} `unauthorized` if the Secret has no account key
 */
export async function withClient<T>(
  { directory, caBundle, account }: Connection,
  { signal, mayLeave = () => {}, secret }: CallOptions,
  { accounts, ...options }: ClientOptions,
  use: (client: Client, acme: typeof import('acme-client')) => Promise<T>,
): Promise<{ readonly value: T; readonly retryAfter: number }> {
  const key = accountKeyIn(secret);
  const acme = await library();
  const server = { directory, ...(caBundle !== undefined && { caBundle }) };
  const client = new acme.Client({
    ...{ directoryUrl: directory, accountKey: key },
    ...(account !== undefined && { accountUrl: account }),
  });
  const question = accountQuestion(server, publicKeyOf(key) ?? '');
  const onProblem = (error: ProblemError) => account !== undefined && accounts.heard(question, error);
  return exchanging({ ...options, signal, mayLeave, server, onProblem }, () => use(client, acme));
}

/** A corrected Secret is used without an edit of the resource, so a wrong one is not `terminal`. */
function accountKeyIn(secret: SecretData | undefined): string {
  const refuse = (why: string) => new CallError('unauthorized', `data[${accountKey}] of the account's Secret: ${why}`);
  const key = secret?.[accountKey];
  if (!key) throw refuse('Required value: must be the private key of the account in PEM format');
  const type = keyTypeOf(key);
  if (type === 'rsa' || type === 'ec') return key;
  throw refuse('Invalid value: must be an RSA or ECDSA private key in PEM format');
}

function keyTypeOf(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    return undefined; // the error of the parser could quote the key
  }
}
