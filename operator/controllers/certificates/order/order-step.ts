import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { certificatesIn, certifiedKeyOf, isSignedBy, parsed, validityOf } from '../../../certificates/reading.js';
import { type NextStep, nextStep, orderQuestion, type WantedOrder } from '../acme/plan.js';
import type { AcmeIssuer } from '../certificate/issuer-state.js';
import { type CertificateRequest, nameDifferenceOf, requestIn } from '../certificate/request.js';
import type { CertificateView } from '../certificate/view.js';
import type { AcmeChallenge, OrderQuestion, VisibilityAnswer } from '../ports/acme.js';
import { replacedId } from './renewal-info.js';

type Status = Partial<CertificateStatus>;

/** The next step of an order as a Certificate takes it. */
export interface OrderStep extends NextStep {
  /** The certificate and its chain, checked. */
  readonly checked?: string;
}

/** What to ask about the order of a Certificate. */
export function orderAsked(resource: CertificateResource, issuer: AcmeIssuer): OrderQuestion {
  return orderQuestion(wantedOrder(resource, issuer));
}

function wantedOrder({ metadata, spec, status }: CertificateResource, issuer: AcmeIssuer): WantedOrder {
  const { order } = status ?? {};
  const { dnsNames, ipAddresses } = requestIn(spec).names;
  return {
    ...{ account: issuer.account, uid: metadata.uid, revision: status?.revision ?? 0 },
    ...{ failures: failuresIn({ metadata, status }), names: [...dnsNames, ...ipAddresses], profile: issuer.profile },
    replaces: replacedId({ status }, issuer),
    ...(order?.url !== undefined && {
      recorded: {
        ...{ url: order.url, account: order.account ?? '' },
        ...(order.profile !== undefined && { profile: order.profile }),
      },
    }),
  };
}

/** The failed orders of the present spec. */
export function failuresIn({ metadata, status }: Pick<CertificateResource, 'metadata' | 'status'>) {
  const { count = 0, lastTime, generation } = status?.failedOrders ?? {};
  const isCurrent = lastTime !== undefined && generation === metadata.generation;
  return isCurrent ? { count, last: Date.parse(lastTime) } : { count: 0, last: 0 };
}

/** The next step of the order for a stored key. @param publicKey SubjectPublicKeyInfo of the key, in base64 */
export function orderStepOf(view: CertificateView, issuer: AcmeIssuer, publicKey: string): OrderStep {
  const { polled, resource } = view;
  const now = view.now.getTime();
  const wanted = wantedOrder(resource, issuer);
  const csr = polled.request?.known ? polled.request.value.csr : undefined;
  const step = nextStep({
    ...{ ...wanted, now, csr: csr ?? '', solvers: issuer.solvers },
    answer: polled.order?.known ? polled.order.value : undefined,
    visibilityOf: visibilityIn(resource.status),
    presentedSince: presentedSince(resource.status),
  });
  // The URL is recorded before any other step, and the request is signed before it is sent.
  const isFirst = step.record !== undefined;
  const { finalize, ...others } = step.calls;
  const calls = isFirst ? {} : csr === undefined || !finalize ? others : { ...others, finalize };
  if (step.chain === undefined) return { ...step, calls };
  const rejection = chainRejection(step.chain, { publicKey, request: requestIn(resource.spec), now });
  if (rejection === undefined) return { ...step, calls, checked: step.chain };
  // The order has this certificate for good, so another order follows.
  const { record: _, ...rest } = step;
  const message = `The ACME server answered with a certificate that cannot be used: ${rejection}`;
  return { ...rest, reason: 'OrderFailed', message, hasFailed: true, calls: {} };
}

function presentedSince(status: Status | undefined): number | undefined {
  const { order, responses } = status ?? {};
  if (responses?.since === undefined || responses.order !== order?.url) return undefined;
  return Date.parse(responses.since);
}

function visibilityIn(status: Status | undefined): (challenge: AcmeChallenge) => VisibilityAnswer | undefined {
  const { visible = [], problem } = status?.responses ?? {};
  return ({ url }) => {
    if (visible.includes(url)) return { isVisible: true };
    return problem === undefined ? undefined : { isVisible: false, why: problem };
  };
}

interface Expected {
  readonly publicKey: string;
  readonly request: CertificateRequest;
  readonly now: number;
}

/** Why a chain must not replace the certificate that serves. The server decides about usages and validity. */
export function chainRejection(chain: string, { publicKey, request, now }: Expected): string | undefined {
  const [certificate, signer] = certificatesIn(chain).map(parsed);
  if (!certificate) return 'it is not a certificate in PEM format';
  if (certifiedKeyOf(certificate) !== publicKey) return 'it is for another public key';
  const difference = nameDifferenceOf(certificate, request);
  if (difference) return `it ${difference}`;
  if (signer && !isSignedBy(certificate, signer)) return 'its chain has another CA than the one that signed it';
  const { from, to } = validityOf(certificate);
  if (to <= now) return 'it has expired';
  return from > now ? 'its validity has not started' : undefined;
}

/** The order and its failures in the status after a step. @param now milliseconds since 1970 */
export function orderStatusOf({ metadata, status }: CertificateResource, step: OrderStep, now: string): Status {
  const failures = failuresIn({ metadata, status });
  if (step.hasFailed) {
    const { generation } = metadata;
    const known = { count: failures.count + 1, lastTime: now, message: step.message.slice(0, 1024) };
    return { failedOrders: { ...known, ...(generation !== undefined && { generation }) } };
  }
  const kept = failures.count > 0 && status?.failedOrders ? { failedOrders: status.failedOrders } : {};
  const { url, account, profile } = step.record ?? status?.order ?? {};
  // Another order is created, because the recorded one is of another account or of an earlier spec.
  if (url === undefined || 'order' in step.calls) return kept;
  const challenges = step.responses === 'unchanged' ? (status?.order?.challenges ?? []) : challengesOf(step);
  return {
    ...kept,
    order: {
      ...{ url, account: account ?? '' },
      ...(profile !== undefined && { profile }),
      ...(challenges.length > 0 && { challenges }),
    },
  };
}

type RecordedChallenges = NonNullable<NonNullable<Status['order']>['challenges']>;

function challengesOf({ responses }: OrderStep): RecordedChallenges {
  if (responses === 'unchanged') return [];
  return responses.map(({ name, isWildcard, challenge: { type, url, token, keyAuthorization, record } }) => ({
    ...{ name, isWildcard, type, url, token, keyAuthorization },
    ...(record !== undefined && { record }),
  }));
}
