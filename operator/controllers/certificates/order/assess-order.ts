import type { CertificateResource, CertificateStatus } from '../../../../imports/index.js';
import { type Outcome, timestampOf } from '../../../runtime/index.js';
import type { CertificateView } from '../certificate/view.js';
import { type OrderStep, orderStatusOf } from './order-step.js';

/** The order in the status after a step. Without a step, such as before the key is stored, it stays as it is. */
export function orderStatusAfter(view: CertificateView, step: OrderStep | undefined): Partial<CertificateStatus> {
  const { resource, now } = view;
  if (step) return orderStatusOf(resource, step, timestampOf(now.getTime()));
  const { order, failedOrders } = resource.status ?? {};
  return { ...(order && { order }), ...(failedOrders && { failedOrders }) };
}

/** Why an order does not get on, in the words of the server. Undefined if it does. */
export function orderFailure(
  step: OrderStep,
  { calls, resource }: CertificateView & Pick<Outcome<CertificateResource>, 'calls'>,
): string | undefined {
  if (step.hasFailed) return step.message;
  const failed = Object.keys(step.calls)
    .map((name) => calls.of(name))
    .find(({ state }) => state === 'failed');
  if (failed?.state === 'failed') return `The ACME server did not accept the request: ${failed.why}`;
  if (step.reason !== 'Retrying') return undefined;
  const { message = '', lastTime = '' } = resource.status?.failedOrders ?? {};
  return `${message}; another order follows, as the last one failed at ${lastTime}`;
}

/** A sentence as a part of another one. */
export function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
}
