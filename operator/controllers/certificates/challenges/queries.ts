import type { CertificateResource } from '../../../../imports/index.js';
import { dnsRecords } from '../../../dns/dns-records.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import type { issuerReads } from '../issuer-reference/declarations.js';
import { challengeVisibility, type VisibilityQuestion } from '../ports/acme.js';
import { dnsWebhook } from '../ports/dns-webhook.js';
import { recordAsked, webhookAsked } from './record-solver.js';
import { challengesOf, type owns, type StableView } from './view.js';

/** The external sources that the responses to challenges are checked with, one at a time. */
export const polls = (
  ask: PollBuilder<CertificateResource, (typeof owns)[number], ReturnType<typeof issuerReads>>,
) => ({
  visibility: ask(challengeVisibility, visibilityAsked),
  record: ask(dnsRecords, recordAsked),
  webhook: ask(dnsWebhook, webhookAsked),
});

/** Milliseconds. An order waits for the answers. */
const times = { interval: 5_000, timeout: 30_000 };

/** Asks about the first response that is in place and not known to be visible. */
function visibilityAsked(view: StableView): PollRequest<VisibilityQuestion> | undefined {
  const { responses } = view.resource.status ?? {};
  const challenge = challengesOf(view).find(({ url }) => !responses?.visible?.includes(url));
  if (!challenge || responses?.since === undefined) return undefined;
  const { type, name, token, keyAuthorization, record = '' } = challenge;
  const question = type === 'dns-01' ? { type, name, record } : { type, name, token, keyAuthorization };
  return { question, ...times };
}
