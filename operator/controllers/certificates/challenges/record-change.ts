import type { Construct } from 'constructs';
import { dnsRecords } from '../../../dns/dns-records.js';
import { ExternalCall } from '../../../runtime/index.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';
import { dnsWebhook } from '../ports/dns-webhook.js';
import { recordSolverOf, type TxtRecord } from './responses.js';

/** Seconds that resolvers keep a record. */
const ttl = 60;
/** Milliseconds. */
const timeout = 30_000;

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
    const call = { port: dnsRecords, request, refreshes: ['record'], secret, timeout };
    new ExternalCall(scope, 'record', call);
  }
  if (webhook) {
    const { caBundle, secretRef } = webhook;
    const act = isAdded ? ('present' as const) : ('cleanup' as const);
    const request = { act, url, ...(caBundle !== undefined && { caBundle }), name, value };
    const secret = secretRef && { secret: issuer.secretNamed(secretRef.name) };
    // What the webhook confirmed is known at once.
    const call = { port: dnsWebhook, request, refreshes: ['webhook'], timeout, ...secret };
    new ExternalCall(scope, 'record', call);
  }
}
