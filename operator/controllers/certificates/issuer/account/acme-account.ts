import { createPrivateKey, createPublicKey } from 'node:crypto';
import { suffixedName } from '../../../../../src/index.js';
import { publicKeyOf } from '../../../../certificates/reading.js';
import { type LiveSecret, type Owned, type Polled, Secret } from '../../../../runtime/index.js';
import type { AnyIssuer } from '../../issuer-reference/issuer-part.js';
import {
  type AccountAnswer,
  type AccountRequest,
  type AcmeServer,
  accountKey,
  type JsonWebSignature,
} from '../../ports/acme.js';
import { textIn } from '../../secrets/texts.js';

/** The part of a spec about an ACME server. */
export type AcmeSettings = NonNullable<AnyIssuer['spec']['acme']>;

/** An issuer and its Secrets. */
export interface OwnSecrets {
  readonly resource: AnyIssuer;
  readonly owned: Pick<Owned<typeof Secret>, 'of'>;
}

/** An issuer, its Secrets, and the answers of its ACME server. */
export interface AccountInput extends OwnSecrets {
  readonly polled: {
    readonly account: Polled<AccountAnswer> | undefined;
    readonly binding: Polled<JsonWebSignature> | undefined;
  };
}

/** The name of the call that creates or changes an account. */
export const accountCall = 'account';

/** The name of the Secret with the key of an ACME account. */
export function accountSecretName(issuer: string): string {
  return suffixedName(issuer, 'account');
}

/** The Secret of the account, which a ClusterIssuer has in the namespace of the operator. */
export function accountSecretRef({ metadata }: AnyIssuer, home: string) {
  return { namespace: metadata.namespace ?? home, name: accountSecretName(metadata.name) };
}

/** The Secret of the account, if it exists. */
export function accountSecretIn({ resource, owned }: OwnSecrets): LiveSecret | undefined {
  const name = accountSecretName(resource.metadata.name);
  return owned.of(Secret).find(({ metadata }) => metadata.name === name);
}

/** The stored private key of the account. Undefined if there is none that can be used. */
export function accountKeyIn(view: OwnSecrets): string | undefined {
  const key = textIn(accountSecretIn(view), accountKey);
  return publicKeyOf(key) === undefined ? undefined : key;
}

/** The public key of a private key as JSON, which an external account binding signs. */
export function jsonWebKeyOf(key: string): Readonly<Record<string, string>> {
  const { crv, e, kty, n, x, y } = createPublicKey(createPrivateKey(key)).export({ format: 'jwk' });
  const fields = { crv, e, kty, n, x, y };
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The server of an issuer. */
export function serverOf({ server, caBundle }: Pick<AcmeSettings, 'server' | 'caBundle'>): AcmeServer {
  return { directory: server, ...(caBundle !== undefined && { caBundle }) };
}

/** The account that the status records for the server of the spec. */
export function recordedAccount({ spec, status }: AnyIssuer) {
  const { account } = status ?? {};
  return account?.url !== undefined && account.server === spec.acme?.server ? account : undefined;
}

/**
 * The request that creates the account or changes its contact. Undefined if none is due, or if the server is not known.
 * Servers that store no contacts never show them, so one that was sent counts.
 */
export function accountRequest(view: AccountInput): AccountRequest | undefined {
  const { resource, polled } = view;
  const { acme } = resource.spec;
  const publicKey = publicKeyOf(accountKeyIn(view) ?? '');
  if (!acme || publicKey === undefined || !polled.account?.known) return undefined;
  const { email } = acme;
  const request = { ...serverOf(acme), publicKey, ...(email !== undefined && { email }) };
  const { account, refusal, requiresExternalAccount } = polled.account.value;
  if (refusal !== undefined) return undefined;
  if (account) return hasContact(account, resource) ? undefined : request;
  if (!acme.externalAccount) return requiresExternalAccount ? undefined : request;
  return polled.binding?.known ? { ...request, binding: polled.binding.value } : undefined;
}

/** Whether the server or the status has the contact of the spec. */
export function hasContact({ contact, status }: NonNullable<AccountAnswer['account']>, resource: AnyIssuer): boolean {
  const { email } = resource.spec.acme ?? {};
  const isSent = recordedAccount(resource)?.email === email;
  return email === undefined || status !== 'valid' || isSent || contact.includes(`mailto:${email}`);
}
