import type { CertificateOrder } from '../../order/certificate-order.js';
import type { TlsTexts } from '../../secrets/texts.js';

/**
 * A step of the plan.
 * - `storeKey`: stores the generated key of the next certificate.
 * - `wait`: asks for an answer, or again after an answer that cannot be used.
 * - `order`: continues the order at an ACME server.
 * - `issue`: replaces the certificate in the Secret by a checked one.
 */
export type Step =
  | { readonly act: 'storeKey'; readonly key: string }
  | { readonly act: 'wait'; readonly rejection?: string | undefined }
  | { readonly act: 'order'; readonly order: CertificateOrder }
  | { readonly act: 'issue'; readonly texts: TlsTexts };
