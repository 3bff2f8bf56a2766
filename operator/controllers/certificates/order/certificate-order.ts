import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import type { Polled } from '../../../runtime/index.js';
import { pollValueOf } from '../../../runtime/index.js';
import { type OrderProgress, orderQuestion, progressOf, type WantedOrder } from '../acme/order-progress.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';
import type { AcmeChallenge, OrderAnswer, OrderQuestion, VisibilityAnswer } from '../ports/acme.js';
import type { SigningRequestAnswer } from '../ports/signing-request.js';
import { requestIn } from '../request/certificate-request.js';
import { chainRejection } from '../request/rejection.js';

type Status = Partial<CertificateStatus>;

/** The order of a Certificate: how far it got, and what continues it. */
export interface CertificateOrder extends OrderProgress {
  /** The certificate and its chain, checked. */
  readonly checked?: string;
}

/** What the order of a Certificate follows from. */
export interface OrderInput {
  readonly resource: CertificateResource;
  readonly issuer: AcmeIssuer;
  /** SubjectPublicKeyInfo of the stored key, in base64. */
  readonly publicKey: string;
  readonly polled: {
    readonly request: Polled<SigningRequestAnswer> | undefined;
    readonly order: Polled<OrderAnswer> | undefined;
  };
  /** Milliseconds since 1970. */
  readonly now: number;
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
    replaces: replacedId(status, issuer),
    ...(order?.url !== undefined && {
      recorded: {
        ...{ url: order.url, account: order.account ?? '' },
        ...(order.profile !== undefined && { profile: order.profile }),
      },
    }),
  };
}

/** The identifier of the certificate that the next order renews, if its server has renewal information. */
function replacedId(status: Status | undefined, { account }: AcmeIssuer): string | undefined {
  const { issuing, renewalInfo, serialNumber, server } = status ?? {};
  const isOwn = server === account.directory && serialNumber !== undefined && issuing?.replaces === serialNumber;
  return isOwn ? renewalInfo?.id : undefined;
}

/** The failed orders of the present spec. */
export function failuresIn({ metadata, status }: Pick<CertificateResource, 'metadata' | 'status'>) {
  const { count = 0, lastTime, generation } = status?.failedOrders ?? {};
  const isCurrent = lastTime !== undefined && generation === metadata.generation;
  return isCurrent ? { count, last: Date.parse(lastTime) } : { count: 0, last: 0 };
}

/** The order for a stored key. */
export function certificateOrderOf({ resource, issuer, publicKey, polled, now }: OrderInput): CertificateOrder {
  const wanted = wantedOrder(resource, issuer);
  const csr = pollValueOf(polled.request)?.csr;
  const progress = progressOf({
    ...{ ...wanted, now, csr: csr ?? '', solvers: issuer.solvers },
    answer: pollValueOf(polled.order),
    visibilityOf: visibilityIn(resource.status),
    presentedSince: presentedSince(resource.status),
  });
  // The URL is recorded before any other step, and the request is signed before it is sent.
  const isFirst = progress.record !== undefined;
  const { finalize, ...others } = progress.calls;
  const calls = isFirst ? {} : csr === undefined || !finalize ? others : { ...others, finalize };
  if (progress.chain === undefined) return { ...progress, calls };
  const rejection = chainRejection(progress.chain, { publicKey, request: requestIn(resource.spec), now });
  if (rejection === undefined) return { ...progress, calls, checked: progress.chain };
  // The order has this certificate for good, so another order follows.
  const { record: _, ...rest } = progress;
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
