import { publicKeyOf } from '../../../certificates/reading.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import {
  type AccountQuestion,
  accountQuestion,
  acmeAccount,
  type BindingQuestion,
  externalAccountBinding,
} from '../ports/acme.js';
import { type AuthorityQuestion, authority } from '../ports/authority.js';
import { type PrivateKeyQuestion, privateKey } from '../ports/private-key.js';
import { type RevocationQuestion, revocation } from '../ports/revocation.js';
import { accountKeyIn, accountSecretRef, jsonWebKeyOf, recordedAccount, serverOf } from './account/acme-account.js';
import { storedAuthorities } from './authority/authority-secret.js';
import type { owns, readsFrom } from './declarations.js';
import { listQuestion } from './revocation-list.js';
import { authoritySecretIn, type StableView, secretRefOf, settingsOf } from './view.js';

type Builder = PollBuilder<AnyIssuer, (typeof owns)[number], ReturnType<ReturnType<typeof readsFrom>>>;

/** The external sources that an issuer polls. @param home namespace of the Secrets of a ClusterIssuer */
export const pollsFrom = (home: string) => (ask: Builder) => ({
  authority: ask(authority, authorityAsked),
  revocation: ask(revocation, (view) => revocationAsked(view, home)),
  accountKey: ask(privateKey, accountKeyAsked),
  account: ask(acmeAccount, (view) => accountAsked(view, home)),
  binding: ask(externalAccountBinding, (view) => bindingAsked(view, home)),
});

/** Milliseconds: the next reconcile stores the generated key or CA. RSA keys of 4096 bits take seconds on a busy machine. */
const keyTimes = { interval: 3_600_000, timeout: 30_000 };
/** Milliseconds: until the account exists. */
const soon = 15_000;
/** Milliseconds. The source announces the question when an order contradicts the answer. */
const seldom = 86_400_000;
/** Milliseconds for the requests of an answer. */
const timeout = 30_000;

/** Asks for a CA after the status has recorded why one is needed. */
function authorityAsked(view: StableView): PollRequest<AuthorityQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const settings = settingsOf(spec);
  if (!settings || status?.issuing === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const { current, next } = storedAuthorities(authoritySecretIn(view));
  // A next CA of a clock that was wrong is replaced.
  if (next && status.issuing !== 'NotYetValid') return undefined;
  const { commonName, privateKey: kind, duration } = settings;
  const follows = [current, next].flatMap((one) => one?.fingerprint ?? []).join(' ');
  return { question: { commonName, privateKey: kind, duration, follows }, ...keyTimes };
}

/** Asks for the revocation list that the status records. */
function revocationAsked({ resource, owned }: StableView, home: string): PollRequest<RevocationQuestion> | undefined {
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const question = listQuestion({ resource, owned, authority: resource.status?.fingerprint });
  return question && { question, ...keyTimes, secret: secretRefOf(resource, home) };
}

/** Asks for the key of an account after the status has recorded that one is needed. */
function accountKeyAsked(view: StableView): PollRequest<PrivateKeyQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const isNeeded = spec.acme !== undefined && status?.issuing !== undefined && accountKeyIn(view) === undefined;
  if (!isNeeded || metadata.deletionTimestamp !== undefined) return undefined;
  return { question: { algorithm: 'ECDSA', size: 256, replaces: `account of ${metadata.uid}` }, ...keyTimes };
}

/** Asks for the account of the stored key. */
function accountAsked(view: StableView, home: string): PollRequest<AccountQuestion> | undefined {
  const { resource } = view;
  const known = keyAndServer(view);
  if (!known) return undefined;
  const { acme, key } = known;
  const recorded = recordedAccount(resource);
  const isSettled = recorded !== undefined && (acme.email === undefined || recorded.email === acme.email);
  const question = accountQuestion(serverOf(acme), publicKeyOf(key) ?? '');
  return { question, interval: isSettled ? seldom : soon, timeout, secret: accountSecretRef(resource, home) };
}

/** Asks for the external account binding of a new account. */
function bindingAsked(view: StableView, home: string): PollRequest<BindingQuestion> | undefined {
  const { resource } = view;
  const known = keyAndServer(view);
  const { externalAccount } = known?.acme ?? {};
  if (!known || !externalAccount || recordedAccount(resource)) return undefined;
  const question = { ...serverOf(known.acme), keyId: externalAccount.keyId, publicKey: jsonWebKeyOf(known.key) };
  const secret = { namespace: resource.metadata.namespace ?? home, name: externalAccount.secretRef.name };
  return { question, interval: soon, timeout, secret };
}

function keyAndServer(view: StableView) {
  const { metadata, spec } = view.resource;
  const key = accountKeyIn(view);
  if (!spec.acme || key === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return { acme: spec.acme, key };
}
