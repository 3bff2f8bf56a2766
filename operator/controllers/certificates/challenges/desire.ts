import type { Construct } from 'constructs';
import { HttpChallenge } from '../../../../src/index.js';
import { knownValues, renderChange } from './record-solver.js';
import type { Responder } from './responder.js';
import { solverOf, type TxtRecord, unsettledRecord } from './responses.js';
import {
  acmeIssuerOf,
  type ChallengesView,
  challengeName,
  challengesOf,
  httpRoute,
  isDeleting,
  recordsOf,
} from './view.js';

/** Renders the routes of HTTP-01 challenges, and the change of a TXT record that is due. */
export function desire(scope: Construct, view: ChallengesView, responder: Responder | undefined): void {
  if (responder) renderRoutes(scope, view, responder);
  const issuer = acmeIssuerOf(view);
  const records = recordsOf(view);
  const unsettled = unsettledRecord(records);
  const isSettled = !unsettled || hasSettled(unsettled, view);
  // Each record keeps the finalizer of a deleted Certificate until it is seen that the server no longer has it.
  const record = isSettled ? (isDeleting(view) ? records[1] : undefined) : unsettled;
  if (issuer && record) renderChange(scope, record, issuer);
}

/** Whether the server has what the record is to become. */
function hasSettled({ phase, value }: TxtRecord, view: ChallengesView): boolean {
  return knownValues(view)?.includes(value) === (phase === 'Adding');
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
