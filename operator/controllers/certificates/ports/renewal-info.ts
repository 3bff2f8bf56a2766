import type { Port } from '../../../runtime/index.js';
import type { AcmeServer } from './acme.js';

/** A certificate of an ACME server. */
export interface RenewalInfoQuestion extends AcmeServer {
  /** PEM. Certificates of its chain may follow. */
  readonly certificate: string;
}

/** When the server suggests to renew a certificate. Empty if the server suggests nothing. */
export interface RenewalInfoAnswer {
  readonly renewalInfo?: {
    /** Identifies the certificate at the server: the `replaces` of the order that renews it. */
    readonly id: string;
    /** Milliseconds since 1970. */
    readonly start: number;
    /** Milliseconds since 1970, after `start`. */
    readonly end: number;
    /** URL of a page for people. @default - the server has none */
    readonly explanation?: string;
  };
}

/**
 * The renewal information of ACME servers. The source announces when the server wants the next request.
 * @see https://www.rfc-editor.org/rfc/rfc9773
 */
export const renewalInfo: Port<RenewalInfoQuestion, RenewalInfoAnswer> = { name: 'reconstruct/acme-renewal-info' };
