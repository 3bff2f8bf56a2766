import type { Construct } from 'constructs';
import { HttpChallenge } from '../../../../src/index.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';
import type { Responder } from '../ports/responder.js';
import { httpRoute } from './declarations.js';
import { planOf } from './plan.js';
import { renderChange } from './record-change.js';
import { solverOf } from './responses.js';
import { type Situation, situationOf } from './situation.js';
import { type ChallengesView, challengeName } from './view.js';

/** Renders the routes of HTTP-01 challenges, and the change of a TXT record that is due. */
export function desire(scope: Construct, view: ChallengesView, responder: Responder | undefined): void {
  const situation = situationOf(view);
  const { issuer } = situation;
  if (!issuer) return;
  if (responder) renderRoutes(scope, { situation, issuer, responder, isServed: view.isServed });
  const { change } = planOf(situation);
  if (change) renderChange(scope, change, issuer);
}

interface Routes extends Pick<ChallengesView, 'isServed'> {
  readonly situation: Situation;
  readonly issuer: AcmeIssuer;
  readonly responder: Responder;
}

function renderRoutes(scope: Construct, { situation, issuer, responder, isServed }: Routes): void {
  const { resource, challenges } = situation;
  for (const challenge of challenges) {
    const http01 = challenge.type === 'http-01' ? solverOf(challenge, issuer)?.http01 : undefined;
    const entry = http01 && entryOf(http01);
    if (!entry || ('gateway' in entry && !isServed(httpRoute))) continue;
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
