import { publicKeyOf } from '../../../certificates/reading.js';
import type { PollRequest } from '../../../runtime/index.js';
import type { AccountQuestion, BindingQuestion } from '../ports/acme.js';
import type { PrivateKeyQuestion } from '../ports/private-key.js';
import { accountKeyIn, accountSecretRef, jsonWebKeyOf, recordedAccount, serverOf } from './acme-account.js';
import type { IssuerView } from './view.js';

type Stable = Pick<IssuerView, 'resource' | 'owned'>;

/** Milliseconds: the next reconcile stores the generated key. */
const keyTimes = { interval: 3_600_000, timeout: 30_000 };
/** Milliseconds: until the account exists. */
const soon = 15_000;
/** Milliseconds: an account that somebody deactivated is noticed after it. */
const seldom = 86_400_000;
/** Milliseconds for the requests of an answer. */
const timeout = 30_000;

/** Asks for the key of an account after the status has recorded that one is needed. */
export function accountKeyAsked(view: Stable): PollRequest<PrivateKeyQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const isNeeded = spec.acme !== undefined && status?.issuing !== undefined && accountKeyIn(view) === undefined;
  if (!isNeeded || metadata.deletionTimestamp !== undefined) return undefined;
  return { question: { algorithm: 'ECDSA', size: 256, replaces: `account of ${metadata.uid}` }, ...keyTimes };
}

/** Asks for the account of the stored key. @param home namespace of the Secrets of a ClusterIssuer */
export function accountAsked(view: Stable, home: string): PollRequest<AccountQuestion> | undefined {
  const { resource } = view;
  const known = keyAndServer(view);
  if (!known) return undefined;
  const { acme, key } = known;
  const recorded = recordedAccount(resource);
  const isSettled = recorded !== undefined && (acme.email === undefined || recorded.email === acme.email);
  const question = { ...serverOf(acme), publicKey: publicKeyOf(key) ?? '' };
  return { question, interval: isSettled ? seldom : soon, timeout, secret: accountSecretRef(resource, home) };
}

/** Asks for the external account binding of a new account. @param home namespace of the Secrets of a ClusterIssuer */
export function bindingAsked(view: Stable, home: string): PollRequest<BindingQuestion> | undefined {
  const { resource } = view;
  const known = keyAndServer(view);
  const { externalAccount } = known?.acme ?? {};
  if (!known || !externalAccount || recordedAccount(resource)) return undefined;
  const question = { ...serverOf(known.acme), keyId: externalAccount.keyId, publicKey: jsonWebKeyOf(known.key) };
  const secret = { namespace: resource.metadata.namespace ?? home, name: externalAccount.secretRef.name };
  return { question, interval: soon, timeout, secret };
}

function keyAndServer(view: Stable) {
  const { metadata, spec } = view.resource;
  const key = accountKeyIn(view);
  if (!spec.acme || key === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return { acme: spec.acme, key };
}
