import type { CertificateResource } from '../../../../imports/index.js';
import { type Assessment, isStoredAlike, type ResourceEvent } from '../../../runtime/index.js';
import type { Responder } from '../ports/responder.js';
import { planOf } from './plan.js';
import type { TxtRecord } from './responses.js';
import { responsesOf } from './responses-status.js';
import { situationOf } from './situation.js';
import type { OutcomeView } from './view.js';

type Found = Assessment<CertificateResource, {}, 'responses' | 'records'>;

/** Milliseconds: reconciles at once, because the next question follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports which responses are in place and visible, and records each TXT record before it is added or removed. */
export function assess(view: OutcomeView, responder: Responder | undefined): Found {
  const { status } = view.resource;
  const situation = situationOf(view);
  const { issuer, challenges } = situation;
  const { records, lost } = planOf(situation);
  const responses = issuer ? responsesOf(view, { issuer, challenges, records, responder }) : status?.responses;
  const found = { ...(responses && { responses }), ...(records.length > 0 && { records }) };
  const before = { visible: status?.responses?.visible, since: status?.responses?.since, records: status?.records };
  const after = { visible: responses?.visible, since: responses?.since, records: found.records };
  const hasMoved = !isStoredAlike(before, after);
  const events = lost.map(leftRecordEvent);
  return { conditions: {}, status: found, events, ...(hasMoved && { requeueAfter: atOnce }) };
}

function leftRecordEvent({ name, server, url, value }: TxtRecord): ResourceEvent {
  return {
    type: 'Warning',
    reason: 'RecordLeft',
    note: `The issuer no longer has a solver with ${url ?? server}; remove the TXT record of ${name} with the value ${value}`,
  };
}
