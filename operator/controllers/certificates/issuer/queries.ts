import type { PollRequest } from '../../../runtime/index.js';
import type { AuthorityQuestion } from '../ports/authority.js';
import type { RevocationQuestion } from '../ports/revocation.js';
import { storedAuthorities } from './authority-secret.js';
import { listQuestion } from './revocation-list.js';
import { authoritySecretIn, type IssuerView, secretRefOf, settingsOf } from './view.js';

/** Milliseconds: the next reconcile stores the generated CA. */
const seldom = 3_600_000;

/** Asks for a CA after the status has recorded why one is needed. */
export function authorityAsked(
  view: Pick<IssuerView, 'resource' | 'owned'>,
): PollRequest<AuthorityQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const settings = settingsOf(spec);
  if (!settings || status?.issuing === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const { current, next } = storedAuthorities(authoritySecretIn(view));
  // A next CA of a clock that was wrong is replaced.
  if (next && status.issuing !== 'NotYetValid') return undefined;
  const { commonName, privateKey, duration } = settings;
  const follows = [current, next].flatMap((one) => one?.fingerprint ?? []).join(' ');
  const question = { commonName, privateKey, duration, follows };
  // RSA keys of 4096 bits take seconds on a busy machine.
  return { question, interval: seldom, timeout: 30_000 };
}

/** Asks for the revocation list that the status records. @param home namespace of the Secrets of a ClusterIssuer */
export function revocationAsked(
  { resource, owned }: Pick<IssuerView, 'resource' | 'owned'>,
  home: string,
): PollRequest<RevocationQuestion> | undefined {
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const question = listQuestion({ resource, owned, authority: resource.status?.fingerprint });
  return question && { question, interval: seldom, timeout: 30_000, secret: secretRefOf(resource, home) };
}
