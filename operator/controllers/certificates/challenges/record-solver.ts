import type { Construct } from 'constructs';
import { dnsRecords, type RecordsQuestion } from '../../../dns/dns-records.js';
import { ExternalCall, type PollRequest } from '../../../runtime/index.js';
import type { IssuerSolver } from '../issuer-reference/issuer-part.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';
import { dnsWebhook, type WebhookQuestion } from '../ports/dns-webhook.js';
import { type TxtRecord, unsettledRecord } from './responses.js';
import { acmeIssuerOf, type ChallengesView, recordsOf, type StableView } from './view.js';

type DnsSolver = NonNullable<IssuerSolver['dns01']>;

/** The solver that changes a record. Undefined if the issuer no longer has it. */
export function recordSolverOf({ server, port, zone, url }: TxtRecord, issuer: AcmeIssuer): DnsSolver | undefined {
  const all = issuer.solvers.flatMap(({ dns01 }) => dns01 ?? []);
  return all.find(({ rfc2136, webhook }) => {
    if (url !== undefined) return webhook?.url === url;
    return rfc2136?.server === server && rfc2136?.port === port && rfc2136?.zone === zone;
  });
}

/** Seconds that resolvers keep a record. */
const ttl = 60;
/** Milliseconds. */
const timeout = 30_000;
/** Milliseconds. An order waits for the answers. */
const times = { interval: 5_000, timeout };

/** Renders the call that adds or removes a record. Nothing, if no solver for it is left. */
export function renderChange(scope: Construct, record: TxtRecord, issuer: AcmeIssuer): void {
  const { rfc2136, webhook } = recordSolverOf(record, issuer) ?? {};
  const { server = '', port, zone = '', url = '', name, value, phase } = record;
  const isAdded = phase === 'Adding';
  if (rfc2136) {
    const change = { name, type: 'TXT' as const, values: [value] };
    const changes = [isAdded ? { ...change, action: 'add' as const, ttl } : { ...change, action: 'remove' as const }];
    const request = { server, ...(port !== undefined && { port }), zone, changes };
    const secret = issuer.secretNamed(rfc2136.tsigSecretRef.name);
    const call = { port: dnsRecords, request, refreshes: ['record'], secret, visibleWithin: 0, timeout };
    new ExternalCall(scope, 'record', call);
  }
  if (webhook) {
    const { caBundle, secretRef } = webhook;
    const act = isAdded ? ('present' as const) : ('cleanup' as const);
    const request = { act, url, ...(caBundle !== undefined && { caBundle }), name, value };
    const secret = secretRef && { secret: issuer.secretNamed(secretRef.name) };
    // What the webhook confirmed is known at once.
    const call = { port: dnsWebhook, request, refreshes: ['webhook'], visibleWithin: 0, timeout, ...secret };
    new ExternalCall(scope, 'record', call);
  }
}

/** The first record that is being added or removed, with its solver. */
function unsettledIn(view: StableView) {
  const record = unsettledRecord(recordsOf(view));
  const issuer = acmeIssuerOf(view);
  const solver = record && issuer && recordSolverOf(record, issuer);
  return record && issuer && solver && { record, issuer, solver };
}

/** Asks about the record at the server that gets the update. */
export function recordAsked(view: StableView): PollRequest<RecordsQuestion> | undefined {
  const { record, issuer, solver } = unsettledIn(view) ?? {};
  if (!record || !issuer || !solver?.rfc2136) return undefined;
  const { server = '', port, zone = '', name } = record;
  const question = { server, ...(port !== undefined && { port }), zone, name, type: 'TXT' as const };
  return { question, ...times, secret: issuer.secretNamed(solver.rfc2136.tsigSecretRef.name) };
}

/** Asks what the webhook has confirmed about the record. */
export function webhookAsked(view: StableView): PollRequest<WebhookQuestion> | undefined {
  const { record, solver } = unsettledIn(view) ?? {};
  if (!record || !solver?.webhook) return undefined;
  const { url, caBundle } = solver.webhook;
  const { name, value } = record;
  return { question: { url, ...(caBundle !== undefined && { caBundle }), name, value }, ...times };
}

/** The values that the first unsettled record has. Undefined if they are not known. */
export function knownValues({ polled, ...view }: ChallengesView): readonly string[] | undefined {
  const unsettled = unsettledRecord(recordsOf(view));
  const { record, webhook } = polled;
  if (unsettled?.url === undefined) return record?.known ? record.value.values : undefined;
  if (!webhook?.known || webhook.value.state === 'unknown') return undefined;
  return webhook.value.state === 'presented' ? [unsettled.value] : [];
}
