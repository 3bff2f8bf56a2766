import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { type CallStates, type MissingEffect, noEffectOf, timestampOf } from '../../../runtime/index.js';
import type { OrderRequest } from '../ports/acme.js';
import { type CertificateOrder, failuresIn } from './certificate-order.js';

type Status = Partial<CertificateStatus>;

/**
 * The order and its failures in the status. Without an order, such as before the key is stored, they stay as they are.
 * @param now milliseconds since 1970
 */
export function orderStatusAfter(
  { metadata, status }: CertificateResource,
  order: CertificateOrder | undefined,
  now: number,
): Status {
  if (!order) {
    const { order: recorded, failedOrders } = status ?? {};
    return { ...(recorded && { order: recorded }), ...(failedOrders && { failedOrders }) };
  }
  const failures = failuresIn({ metadata, status });
  if (order.hasFailed) {
    const { generation } = metadata;
    const known = { count: failures.count + 1, lastTime: timestampOf(now), message: order.message.slice(0, 1024) };
    return { failedOrders: { ...known, ...(generation !== undefined && { generation }) } };
  }
  const kept = failures.count > 0 && status?.failedOrders ? { failedOrders: status.failedOrders } : {};
  const { url, account, profile } = order.record ?? status?.order ?? {};
  // Another order is created, because the recorded one is of another account or of an earlier spec.
  if (url === undefined || 'order' in order.calls) return kept;
  const challenges = order.responses === 'unchanged' ? (status?.order?.challenges ?? []) : challengesOf(order);
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

function challengesOf({ responses }: CertificateOrder): RecordedChallenges {
  if (responses === 'unchanged') return [];
  return responses.map(({ name, isWildcard, challenge: { type, url, token, keyAuthorization, record } }) => ({
    ...{ name, isWildcard, type, url, token, keyAuthorization },
    ...(record !== undefined && { record }),
  }));
}

/** What an order is reported by, beside its progress. */
interface Reported {
  readonly resource: CertificateResource;
  readonly calls: CallStates;
}

const missingEffects: Readonly<Record<OrderRequest['act'], MissingEffect>> = {
  create: { wanted: 'an order', seen: 'none' },
  respond: { wanted: 'a validation', seen: 'a pending challenge' },
  finalize: { wanted: 'a finalized order', seen: 'a ready order' },
};

/** That the server accepts a request of an order and does nothing, as a part of a sentence. Undefined if it does. */
export function orderStandstill(order: CertificateOrder, calls: CallStates): string | undefined {
  const [noEffect] = Object.entries(order.calls).flatMap(
    ([name, { act }]) => noEffectOf(calls.of(name), missingEffects[act]) ?? [],
  );
  return noEffect && `the request was ${noEffect}`;
}

/** Why an order does not get on, in the words of the server. Undefined if it does. */
export function orderFailure(order: CertificateOrder, { calls, resource }: Reported): string | undefined {
  if (order.hasFailed) return order.message;
  const failed = Object.keys(order.calls)
    .map((name) => calls.of(name))
    .find(({ state }) => state === 'failed');
  if (failed?.state === 'failed') return `The ACME server did not accept the request: ${failed.why}`;
  if (order.reason !== 'Retrying') return undefined;
  const { message = '', lastTime = '' } = resource.status?.failedOrders ?? {};
  return `${message}; another order follows, as the last one failed at ${lastTime}`;
}
