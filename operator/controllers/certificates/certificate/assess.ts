import type { X509Certificate } from 'node:crypto';
import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { certificatesIn, fingerprintOf, isSignedBy, parsed, validityOf } from '../../../certificates/reading.js';
import { annotatedRequest } from '../../../consumers/request-annotation.js';
import {
  type Assessment,
  isStoredAlike,
  type Mark,
  type Outcome,
  pollFailureOf,
  timestampOf,
} from '../../../runtime/index.js';
import { lowerFirst, orderFailure, orderStatusAfter } from '../order/assess-order.js';
import { type RecordedInfo, renewalInfoAfter, renewalTimeIn, renewalTimeWith } from '../order/renewal-info.js';
import { type Cause, causeOf, endsWithAuthority } from './checks.js';
import type { conditions } from './conditions.js';
import { adoptionReport } from './consumers/adoption.js';
import { canIssue, sentences } from './issuer-state.js';
import { answeredRequestIn, renewAnnotation, type Situation } from './situation.js';
import { serialIn, stepOf } from './step.js';
import { type CertificateView, nextKeyIn, othersSecretIn, situationOf } from './view.js';

type Found = Assessment<CertificateResource, typeof conditions>;
type Reason<Type extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[Type], string>>;

/** The input of `assess`. */
type OutcomeView = CertificateView & Pick<Outcome<CertificateResource>, 'blocker' | 'calls'>;

/** Characters of a certificate with its chain in a status. */
const longestCertificate = 32_768;

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the certificate in the Secret, and records that another one is to be issued before anything is asked. */
export function assess(view: OutcomeView): Found {
  const { resource } = view;
  const now = view.now.getTime();
  const situation = situationOf(view);
  const { certificate, issuer } = situation;
  const isOthers = othersSecretIn(view) !== undefined;
  const cause = isOthers ? undefined : causeOf(situation, now);
  const isIssuing = cause !== undefined && canIssue(issuer);
  const order = isIssuing ? stepOf(view).order : undefined;
  const request = annotatedRequest(resource.metadata, renewAnnotation);
  const requested = request === undefined ? {} : { requested: request };
  const issuing = isIssuing ? { issuing: { reason: cause.reason, replaces: serialIn(situation), ...requested } } : {};
  const info = certificate && renewalInfoAfter(view, certificate);
  const issued = statusOf(situation, info);
  const adoption = adoptionReport(view, issued.issuerFingerprint);
  const ordered = isIssuing ? orderStatusAfter(view, order) : {};
  const status = { ...issued, ...adoption.status, ...issuing, ...ordered };
  const isNew = status.serialNumber !== undefined && status.serialNumber !== resource.status?.serialNumber;
  return {
    conditions: {
      Valid: validityMark(certificate, now),
      UpToDate: isOthers
        ? { reason: 'SecretNotOwned', ...(view.blocker && { message: view.blocker }) }
        : upToDate(view, situation, cause),
      Adopted: adoption.mark,
    },
    status,
    events: isNew ? [issuedEvent(status)] : [],
    ...requeueOf(view, { situation, status, times: adoption.times }, now),
  };
}

function validityMark(certificate: X509Certificate | undefined, now: number): Reason<'Valid'> {
  if (!certificate) return { reason: 'NotIssued' };
  const { from, to } = validityOf(certificate);
  if (to <= now) return { reason: 'Expired' };
  return { reason: from > now ? 'NotYetValid' : 'Valid' };
}

function upToDate(view: OutcomeView, situation: Situation, cause: Cause | undefined): Reason<'UpToDate'> {
  const { issuer } = situation;
  if (!canIssue(issuer) && (cause || issuer.is !== 'IssuerNotReady'))
    return { reason: issuer.is, message: sentences(ownFault(view, cause), issuer.message) };
  if (!cause)
    return { reason: endsWithAuthority(situation) && isDue(situation, view.now.getTime()) ? 'CAExpires' : 'UpToDate' };
  const { rejection, order } = stepOf(view);
  if (rejection !== undefined)
    return {
      reason: 'AnswerRejected',
      message: `The issuer answered with a certificate that cannot be used: ${rejection}`,
    };
  // A certificate is renewed without renewal information too.
  const { renewalInfo: _, ...polled } = view.polled;
  const [why] = Object.values(polled).flatMap((answer) => pollFailureOf(answer) ?? []);
  if (why !== undefined) return { reason: 'IssuingFailed', message: `The certificate could not be issued: ${why}` };
  const failure = order && orderFailure(order, view);
  if (failure !== undefined) return { reason: 'OrderFailed', message: failure };
  if (cause.reason === 'Expiring' || cause.reason === 'Requested') return { reason: 'Renewing' };
  return {
    reason: 'Issuing',
    message: `${cause.message}; ${order ? lowerFirst(order.message) : 'a certificate is being issued'}`,
  };
}

/** What is wrong with the certificate itself. That there is none yet follows from the problem of the issuer. */
function ownFault({ resource }: OutcomeView, cause: Cause | undefined): string | undefined {
  if (cause?.reason === 'Expiring' || cause?.reason === 'Requested') return undefined;
  const isFirst = cause?.reason === 'SecretMissing' && (resource.status?.revision ?? 0) === 0;
  return isFirst ? undefined : cause?.message;
}

/** Whether the certificate would be renewed if that helped. */
function isDue(situation: Situation, now: number): boolean {
  const { certificate } = situation;
  return certificate !== undefined && now >= renewalTimeIn(certificate, situation);
}

function statusOf(situation: Situation, info: RecordedInfo | undefined): Partial<CertificateStatus> {
  const { resource, certificate, secret, issuer } = situation;
  const { spec, status } = resource;
  const first = [spec.dnsNames, spec.ipAddresses, spec.uris, spec.emailAddresses].flatMap((names) => names ?? [])[0];
  const subject = { subject: spec.commonName ?? first ?? '' };
  const { revision = 0, serialNumber, server: before } = status ?? {};
  const answered = answeredRequestIn(situation);
  const requested = answered === undefined ? {} : { requested: answered };
  if (!certificate || !secret)
    return { ...subject, ...requested, revision, ...(status?.certificate && { certificate: status.certificate }) };
  const { from, to } = validityOf(certificate);
  const serial = serialIn(situation);
  const authorities = certificatesIn(
    `${issuer.is === 'available' ? issuer.chain : ''}${secret.certificate}${secret.trusted}`,
  );
  const signer = authorities.map(parsed).find((one) => one?.ca && isSignedBy(certificate, one));
  const isNew = serial !== serialNumber && canIssue(issuer);
  const server = isNew ? (issuer.is === 'acme' ? issuer.account.directory : undefined) : before;
  const trusted = certificatesIn(secret.trusted).flatMap((pem) => parsed(pem) ?? []);
  return {
    ...subject,
    ...requested,
    notBefore: timestampOf(from),
    notAfter: timestampOf(to),
    ...(!endsWithAuthority(situation) && { renewalTime: timestampOf(renewalTimeWith(info, certificate, situation)) }),
    ...(info && { renewalInfo: info }),
    serialNumber: serial,
    revision: serial === serialNumber ? revision : revision + 1,
    ...(signer && { issuerFingerprint: fingerprintOf(signer) }),
    trustedFingerprints: trusted.map(fingerprintOf).slice(0, 32),
    // A longer one cannot be restored from the status.
    ...(secret.certificate.length <= longestCertificate && { certificate: secret.certificate }),
    ...(server !== undefined && { server }),
  };
}

function issuedEvent({ serialNumber, notAfter }: Partial<CertificateStatus>) {
  return {
    type: 'Normal' as const,
    reason: 'Issued',
    note: `Issued the certificate with serial number ${serialNumber}, which expires at ${notAfter}`,
  };
}

interface Coming {
  readonly situation: Situation;
  readonly status: Partial<CertificateStatus>;
  readonly times: readonly number[];
}

function requeueOf(view: CertificateView, { situation, status, times: others }: Coming, now: number) {
  const hasMoved = !isStoredAlike(progressOf(view.resource.status), progressOf(status)) || isNewKeyStored(view);
  if (hasMoved) return { requeueAfter: atOnce };
  const { certificate } = situation;
  const recheck = status.issuing ? stepOf(view).order?.recheckAt : undefined;
  const { from, to } = certificate ? validityOf(certificate) : { from: now, to: now };
  const renewal = status.renewalTime === undefined ? to : Date.parse(status.renewalTime);
  const times = [from, renewal, to, recheck ?? now, ...others].filter((time) => time > now);
  return times.length === 0 ? {} : { requeueAfter: Math.min(...times) - now };
}

/** What the next questions follow from. */
function progressOf({ issuing, order, failedOrders, renewalInfo }: Partial<CertificateStatus> = {}) {
  return { issuing, order, failedOrders, renewalInfo };
}

/** The key was stored in this reconcile: the next one asks for the certificate. */
function isNewKeyStored(view: CertificateView): boolean {
  const { nextKey } = stepOf(view);
  // A Secret of that name that somebody else owns stays, and nothing can be stored.
  return nextKey !== undefined && view.polled.privateKey !== undefined && nextKeyIn(view) !== '';
}
