import { publicKeyOf } from '../../../../certificates/reading.js';
import { certificateOrderOf } from '../../order/certificate-order.js';
import { keyForNext, type Situation } from '../situation.js';
import type { Step } from './step.js';

/** An ACME server gets an order. The certificate is checked before it replaces the present one. */
export function ordered(situation: Situation): Step | undefined {
  const { issuer, resource, polled, now } = situation;
  const key = keyForNext(situation);
  if (issuer.is !== 'acme' || key === undefined) return undefined;
  const order = certificateOrderOf({ resource, issuer, publicKey: publicKeyOf(key) ?? '', polled, now });
  if (order.checked === undefined) return { act: 'order', order };
  return { act: 'issue', texts: { certificate: order.checked, key, trusted: '' } };
}
