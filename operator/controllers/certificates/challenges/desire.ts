import type { Construct } from 'constructs';
import { HttpChallenge } from '../../../../src/index.js';
import { dnsRecords } from '../../../engines/dns/port.js';
import { ExternalCall } from '../../../runtime/index.js';
import { solverOf, type TxtRecord, unsettledRecord } from './responses.js';
import {
  acmeIssuerOf,
  type ChallengesView,
  challengeName,
  challengesOf,
  httpRoute,
  isDeleting,
  type Responder,
  recordsOf,
  tsigSecretOf,
} from './view.js';

/** Seconds that resolvers keep a record. */
const ttl = 60;

/** Renders the routes of HTTP-01 challenges, and the change of a TXT record that is due. */
export function desire(scope: Construct, view: ChallengesView, responder: Responder | undefined): void {
  if (responder) renderRoutes(scope, view, responder);
  const records = recordsOf(view);
  const unsettled = unsettledRecord(records);
  if (!unsettled || hasSettled(unsettled, view)) {
    // Each record keeps the finalizer of a deleted Certificate until it is seen that the server no longer has it.
    if (isDeleting(view)) renderChange(scope, view, records[1]);
    return;
  }
  renderChange(scope, view, unsettled);
}

/** Whether the server has what the record is to become. */
function hasSettled({ phase, value }: TxtRecord, { polled }: ChallengesView): boolean {
  return polled.record?.known === true && polled.record.value.values.includes(value) === (phase === 'Adding');
}

function renderChange(scope: Construct, view: ChallengesView, record: TxtRecord | undefined): void {
  const issuer = acmeIssuerOf(view);
  const secret = record && issuer && tsigSecretOf(record, issuer);
  if (!record || secret === undefined) return;
  const { server, port, zone, name, value, phase } = record;
  const change = { name, type: 'TXT' as const, values: [value] };
  const changes =
    phase === 'Adding' ? [{ ...change, action: 'add' as const, ttl }] : [{ ...change, action: 'remove' as const }];
  const request = { server, ...(port !== undefined && { port }), zone, changes };
  const call = { port: dnsRecords, request, refreshes: ['record'], secret, timeout: 30_000 };
  new ExternalCall(scope, 'record', call);
}

function renderRoutes(scope: Construct, view: ChallengesView, responder: Responder): void {
  const issuer = acmeIssuerOf(view);
  if (!issuer) return;
  const { resource } = view;
  for (const challenge of challengesOf(view)) {
    const http01 = challenge.type === 'http-01' ? solverOf(challenge, issuer)?.http01 : undefined;
    const entry = http01 && entryOf(http01);
    if (!entry || ('gateway' in entry && !view.isServed(httpRoute))) continue;
    const name = challengeName(resource, challenge);
    new HttpChallenge(scope, name, {
      ...{ name, namespace: resource.metadata.namespace ?? '', host: challenge.name, token: challenge.token },
      ...{ labels: { 'app.kubernetes.io/managed-by': 'reconstruct' }, entry, responder },
    });
  }
}

type Http01 = NonNullable<NonNullable<ReturnType<typeof solverOf>>['http01']>;

function entryOf({ gateway, ingressClassName }: Http01) {
  if (ingressClassName !== undefined) return { ingressClassName };
  if (!gateway) return undefined;
  const { name, namespace, sectionName } = gateway;
  const place = { ...(namespace !== undefined && { namespace }), ...(sectionName !== undefined && { sectionName }) };
  return { gateway: { name, ...place } };
}
