import { certificateKind } from '../../../../imports/index.js';
import { dnsRecords } from '../../../dns/dns-records.js';
import { type Controller, defineController } from '../../../runtime/index.js';
import { dnsWebhook } from '../ports/dns-webhook.js';
import type { Responder } from '../ports/responder.js';
import { assess } from './assess.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { polls } from './polls.js';

/**
 * Puts the responses to the challenges of a Certificate's order in place. Its finalizer outlives the Certificate until
 * the TXT records are removed.
 * @param responder undefined if the operator does not answer HTTP-01 challenges
 */
export function challengesAnsweredAt(responder: Responder | undefined): Controller {
  return defineController({
    kind: certificateKind,
    name: 'certificate-challenges',
    secondaryFor: ({ status }) => (status?.order?.challenges ?? status?.records ?? []).length > 0,
    owns,
    reads,
    polls,
    calls: [dnsRecords, dnsWebhook],
    statusFields: ['responses', 'records'],
    conditions: {},
    finalizes: true,
    desire: (scope, facts) => desire(scope, facts, responder),
    assess: (outcome) => assess(outcome, responder),
  });
}
