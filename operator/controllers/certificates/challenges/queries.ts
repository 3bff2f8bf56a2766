import type { CertificateResource } from '../../../../imports/index.js';
import { dnsRecords, type RecordsQuestion } from '../../../engines/dns/port.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import type { issuerReads } from '../certificate/issuer-state.js';
import { challengeVisibility, type VisibilityQuestion } from '../ports/acme.js';
import { unsettledRecord } from './responses.js';
import { acmeIssuerOf, challengesOf, type owns, recordsOf, type StableView, tsigSecretOf } from './view.js';

/** The external sources that the responses to challenges are checked with, one at a time. */
export const polls = (
  ask: PollBuilder<CertificateResource, (typeof owns)[number], ReturnType<typeof issuerReads>>,
) => ({
  visibility: ask(challengeVisibility, visibilityAsked),
  record: ask(dnsRecords, recordAsked),
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

/** Asks about the first record that is being added or removed, at the server that gets the update. */
function recordAsked(view: StableView): PollRequest<RecordsQuestion> | undefined {
  const record = unsettledRecord(recordsOf(view));
  const issuer = acmeIssuerOf(view);
  const secret = record && issuer && tsigSecretOf(record, issuer);
  if (!record || secret === undefined) return undefined;
  const { server, port, zone, name } = record;
  const at = { server, ...(port !== undefined && { port }) };
  return { question: { ...at, zone, name, type: 'TXT' }, ...times, secret };
}
