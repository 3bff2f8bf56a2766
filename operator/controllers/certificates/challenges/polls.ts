import type { CertificateResource } from '../../../../imports/index.js';
import { dnsRecords, type RecordsQuestion } from '../../../dns/dns-records.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import { challengeVisibility, type VisibilityQuestion } from '../ports/acme.js';
import { dnsWebhook, type WebhookQuestion } from '../ports/dns-webhook.js';
import type { owns, reads } from './declarations.js';
import { recordSolverOf, unsettledRecord } from './responses.js';
import { stableSituationOf } from './situation.js';
import type { StableView } from './view.js';

/** The external sources that the responses to challenges are checked with, one at a time. */
export const polls = (ask: PollBuilder<CertificateResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  visibility: ask(challengeVisibility, visibilityAsked),
  record: ask(dnsRecords, recordAsked),
  webhook: ask(dnsWebhook, webhookAsked),
});

/** Milliseconds. An order waits for the answers. */
const times = { interval: 5_000, timeout: 30_000 };

/** Asks about the first response that is in place and not known to be visible. */
function visibilityAsked(view: StableView): PollRequest<VisibilityQuestion> | undefined {
  const { responses } = view.resource.status ?? {};
  const { challenges } = stableSituationOf(view);
  const challenge = challenges.find(({ url }) => !responses?.visible?.includes(url));
  if (!challenge || responses?.since === undefined) return undefined;
  const { type, name, token, keyAuthorization, record = '' } = challenge;
  const question = type === 'dns-01' ? { type, name, record } : { type, name, token, keyAuthorization };
  return { question, ...times };
}

/** The first record that is being added or removed, with its solver. */
function unsettledIn(view: StableView) {
  const { issuer, records } = stableSituationOf(view);
  const record = unsettledRecord(records);
  const solver = record && issuer && recordSolverOf(record, issuer);
  return record && issuer && solver && { record, issuer, solver };
}

/** Asks about the record at the server that gets the update. */
function recordAsked(view: StableView): PollRequest<RecordsQuestion> | undefined {
  const { record, issuer, solver } = unsettledIn(view) ?? {};
  if (!record || !issuer || !solver?.rfc2136) return undefined;
  const { server = '', port, zone = '', name } = record;
  const question = { server, ...(port !== undefined && { port }), zone, name, type: 'TXT' as const };
  return { question, ...times, secret: issuer.secretNamed(solver.rfc2136.tsigSecretRef.name) };
}

/** Asks what the webhook has confirmed about the record. */
function webhookAsked(view: StableView): PollRequest<WebhookQuestion> | undefined {
  const { record, solver } = unsettledIn(view) ?? {};
  if (!record || !solver?.webhook) return undefined;
  const { url, caBundle } = solver.webhook;
  const { name, value } = record;
  return { question: { url, ...(caBundle !== undefined && { caBundle }), name, value }, ...times };
}
