import { createHash } from 'node:crypto';
import { secondsOf } from '../../../../crds/index.js';
import type { CertificateSpec } from '../../../../imports/index.js';
import type { Validity } from '../../../certificates/reading.js';
import { backdatedBy } from '../../../certificates/times.js';

/** The part of the validity over which renewals are spread. */
const spread = 0.05;

/** When a server suggests to renew a certificate: milliseconds since 1970. */
export interface SuggestedWindow {
  readonly start: number;
  readonly end: number;
}

/** What decides about the renewal of a certificate, beside its validity. */
export interface RenewalRules {
  readonly spec: CertificateSpec;
  /** The UID of the Certificate, which decides about the spread, so that a restart changes no time. */
  readonly uid: string;
  /** @default - the server suggests nothing */
  readonly window?: SuggestedWindow | undefined;
  /** Whether an ACME server issued the certificate. It dates certificates back by an hour or so, and limits orders. */
  readonly isOrdered: boolean;
}

/** Milliseconds. A server that always suggests the past must not have a certificate renewed again and again. */
const leastUse = 6 * 3_600_000;

/**
 * When a certificate is renewed, in milliseconds since 1970 and whole seconds. A server can suggest an earlier time than the
 * spec, never a later one. A time before the certificate was issued would have it renewed again and again.
 */
export function renewalTimeOf(validity: Validity, { spec, uid, window, isOrdered }: RenewalRules): number {
  const { from, to } = validity;
  const own = exactTime(validity, spec, uid);
  const suggested = window ? Math.min(own, window.start + (window.end - window.start) * fractionOf(uid)) : own;
  const backdated = backdatedBy(secondsOf(spec.duration) * 1000);
  const earliest = from + (isOrdered ? Math.min(leastUse, (to - from) / 3) : 2 * backdated);
  return Math.floor(Math.max(suggested, Math.min(earliest, to)) / 1000) * 1000;
}

function exactTime({ from, to }: Validity, { renewBefore, renewAt }: CertificateSpec, uid: string): number {
  const whole = to - from;
  if (renewAt !== undefined) return from + (whole * Number.parseInt(renewAt, 10)) / 100;
  const before = renewBefore === undefined ? undefined : secondsOf(renewBefore) * 1000;
  // An issuer may shorten the validity. A longer renewBefore would renew the certificate again and again.
  if (before !== undefined && before < whole) return to - before;
  return to - whole / 3 - whole * spread * fractionOf(uid);
}

/** A number from 0 to 1, the same for each call. */
function fractionOf(uid: string): number {
  return createHash('sha256').update(uid).digest().readUInt32BE(0) / 2 ** 32;
}
