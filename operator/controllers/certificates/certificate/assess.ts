import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { validityOf } from '../../../certificates/reading.js';
import { annotatedRequest } from '../../../consumers/request-annotation.js';
import { requeueIn } from '../../../members/index.js';
import { type Assessment, isStoredAlike, type Outcome, type ResourceEvent } from '../../../runtime/index.js';
import { canIssue } from '../issuer-reference/issuer-state.js';
import { orderStatusAfter } from '../order/order-status.js';
import type { conditions } from './conditions.js';
import { adoptionIn, adoptionStatus, adoptionTimes } from './consumers/adoption.js';
import { adoptedOf } from './findings/adopted.js';
import { upToDateOf } from './findings/up-to-date.js';
import { validOf } from './findings/valid.js';
import { issuedStatus } from './issued-status.js';
import { type Plan, planOf } from './plan/index.js';
import { renewAnnotation, type Situation, serialIn, situationOf } from './situation.js';
import { type CertificateView, othersSecretIn, ownSecretIn } from './view.js';

type Found = Assessment<CertificateResource, typeof conditions>;
type Status = Partial<CertificateStatus>;

/** The input of `assess`. */
type OutcomeView = CertificateView & Pick<Outcome<CertificateResource>, 'blocker' | 'calls'>;

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the certificate in the Secret, and records that another one is to be issued before anything is asked. */
export function assess(view: OutcomeView): Found {
  const { resource, polled, calls } = view;
  const situation = situationOf(view);
  const plan = planOf(situation);
  // Nothing is issued into the Secret of another owner.
  const isOthers = othersSecretIn(view) !== undefined;
  const adoption = adoptionIn({ resource, secret: ownSecretIn(view), polled, now: situation.now });
  const issued = issuedStatus(situation);
  const status = {
    ...issued,
    ...adoptionStatus(resource, adoption, issued.issuerFingerprint),
    ...(isOthers ? {} : issuingStatus(situation, plan)),
  };
  const isNew = status.serialNumber !== undefined && status.serialNumber !== resource.status?.serialNumber;
  return {
    conditions: {
      Valid: validOf(situation),
      UpToDate: isOthers
        ? { reason: 'SecretNotOwned', ...(view.blocker && { message: view.blocker }) }
        : upToDateOf({ situation, plan, calls }),
      Adopted: adoptedOf({ resource, polled, calls, adoption }),
    },
    status,
    events: isNew ? [issuedEvent(status)] : [],
    ...requeueOf(situation, { plan, status, times: adoptionTimes(adoption) }),
  };
}

/** The record that a certificate is being issued, and its order. Empty if none is. */
function issuingStatus(situation: Situation, { cause, step }: Plan): Status {
  const { resource, issuer, now } = situation;
  if (!cause || !canIssue(issuer)) return {};
  const requested = annotatedRequest(resource.metadata, renewAnnotation);
  const order = step?.act === 'order' ? step.order : undefined;
  return {
    issuing: {
      ...{ reason: cause.reason, replaces: serialIn(situation) },
      ...(requested !== undefined && { requested }),
    },
    ...orderStatusAfter(resource, order, now),
  };
}

function issuedEvent({ serialNumber, notAfter }: Status): ResourceEvent {
  return {
    type: 'Normal',
    reason: 'Issued',
    note: `Issued the certificate with serial number ${serialNumber}, which expires at ${notAfter}`,
  };
}

interface Coming {
  readonly plan: Plan;
  readonly status: Status;
  readonly times: readonly number[];
}

function requeueOf(situation: Situation, { plan, status, times: others }: Coming): Pick<Found, 'requeueAfter'> {
  const { certificate, resource, now } = situation;
  const hasMoved = !isStoredAlike(askedBy(resource.status), askedBy(status)) || isNewKeyStored(situation, plan);
  if (hasMoved) return { requeueAfter: atOnce };
  const recheck = status.issuing && plan.step?.act === 'order' ? plan.step.order.recheckAt : undefined;
  const { from, to } = certificate ? validityOf(certificate) : { from: now, to: now };
  const renewal = status.renewalTime === undefined ? to : Date.parse(status.renewalTime);
  return requeueIn(...[from, renewal, to, recheck ?? now, ...others].map((time) => time - now));
}

/** The fields that the next questions follow from. */
function askedBy({ issuing, order, failedOrders, renewalInfo }: Status = {}) {
  return { issuing, order, failedOrders, renewalInfo };
}

/** The key was stored in this reconcile: the next one asks for the certificate. */
function isNewKeyStored({ polled, nextKey: stored }: Situation, { nextKey }: Plan): boolean {
  // A Secret of that name that somebody else owns stays, and nothing can be stored.
  return nextKey !== undefined && polled.privateKey !== undefined && stored !== '';
}
