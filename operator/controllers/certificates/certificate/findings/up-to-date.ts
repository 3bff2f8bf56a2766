import { defaultCertificateDuration, secondsOf } from '../../../../../crds/index.js';
import { validityOf } from '../../../../certificates/reading.js';
import { durationText } from '../../../../certificates/times.js';
import { type CallStates, type Mark, pollFailureOf } from '../../../../runtime/index.js';
import { canIssue, isOrdered, sentences } from '../../issuer-reference/issuer-state.js';
import { orderFailure, orderStandstill } from '../../order/order-status.js';
import { renewalTimeIn } from '../../renewal/renewal-info.js';
import type { conditions } from '../conditions.js';
import type { Cause, Plan } from '../plan/index.js';
import { endsWithAuthority, type Situation } from '../situation.js';

type UpToDate = Mark<keyof (typeof conditions)['UpToDate']>;

interface Seen {
  readonly situation: Situation;
  readonly plan: Plan;
  readonly calls: CallStates;
}

/** Whether the certificate matches the spec, and is renewed in time. */
export function upToDateOf({ situation, plan, calls }: Seen): UpToDate {
  const { issuer } = situation;
  const { cause, step } = plan;
  if (!canIssue(issuer) && (cause || issuer.is !== 'IssuerNotReady'))
    return { reason: issuer.is, message: sentences(ownFault(situation, cause), issuer.message) };
  if (!cause && endsWithAuthority(situation) && isDue(situation)) return { reason: 'CAExpires' };
  if (!cause) return shorterMark(situation) ?? { reason: 'UpToDate' };
  if (step?.act === 'wait' && step.rejection !== undefined)
    return {
      reason: 'AnswerRejected',
      message: `The issuer answered with a certificate that cannot be used: ${step.rejection}`,
    };
  // A certificate is renewed without renewal information too.
  const { renewalInfo: _, ...polled } = situation.polled;
  const [why] = Object.values(polled).flatMap((answer) => pollFailureOf(answer) ?? []);
  if (why !== undefined) return { reason: 'IssuingFailed', message: `The certificate could not be issued: ${why}` };
  const order = step?.act === 'order' ? step.order : undefined;
  const failure = order && orderFailure(order, { calls, resource: situation.resource });
  if (failure !== undefined) return { reason: 'OrderFailed', message: failure };
  const standstill = order && orderStandstill(order, calls);
  if (cause.reason === 'Expiring' || cause.reason === 'Requested') {
    if (standstill) return { reason: 'Renewing', message: `The certificate is being renewed; ${standstill}` };
    return shorterMark(situation) ?? { reason: 'Renewing' };
  }
  const progress = order ? lowerFirst(order.message) : 'a certificate is being issued';
  return { reason: 'Issuing', message: [cause.message, progress, ...(standstill ? [standstill] : [])].join('; ') };
}

/** What is wrong with the certificate itself. That there is none yet follows from the problem of the issuer. */
function ownFault({ resource }: Situation, cause: Cause | undefined): string | undefined {
  if (cause?.reason === 'Expiring' || cause?.reason === 'Requested') return undefined;
  const isFirst = cause?.reason === 'SecretMissing' && (resource.status?.revision ?? 0) === 0;
  return isFirst ? undefined : cause?.message;
}

/** Whether the certificate would be renewed if that helped. */
function isDue(situation: Situation): boolean {
  const { certificate, now } = situation;
  return certificate !== undefined && now >= renewalTimeIn(certificate, situation);
}

/** The part of `spec.duration` by which a validity may be shorter, such as the second that many servers subtract. */
const tolerance = 0.01;

/** Whether the issuer gave a shorter validity than the spec asks for. A longer `spec.duration` counts at the next renewal. */
function shorterMark(situation: Situation): UpToDate | undefined {
  const { certificate, resource } = situation;
  const ordered = isOrdered(situation);
  if (!certificate || !(ordered || endsWithAuthority(situation))) return undefined;
  const { from, to } = validityOf(certificate);
  const { duration, renewBefore } = resource.spec;
  const isIgnored = renewBefore !== undefined && secondsOf(renewBefore) * 1000 >= to - from;
  // ACME servers have their own durations, so the default is no request to them.
  const isAsked = !ordered || duration !== defaultCertificateDuration;
  const isShorter = isAsked && to - from < secondsOf(duration) * 1000 * (1 - tolerance);
  if (!isShorter && !isIgnored) return undefined;
  const [cause, advice] = ordered
    ? ['The ACME server decides about the validity:', 'or set another spec.acme.profile of the issuer']
    : ['The certificate ends with its CA, so', 'or use a CA that is valid for longer'];
  const given = durationText(to - from);
  const consequence = isIgnored
    ? `; it is renewed when a third of that is left, because spec.renewBefore ${renewBefore} is not shorter`
    : '';
  const fields = isIgnored ? 'spec.duration and spec.renewBefore' : 'spec.duration';
  const message = `${cause} it is valid for ${given}, and spec.duration is ${duration}${consequence}; lower ${fields}, ${advice}`;
  return { reason: 'ShorterThanRequested', message };
}

/** A sentence as a part of another one. */
function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
}
