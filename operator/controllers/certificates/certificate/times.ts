import { createHash } from 'node:crypto';
import { secondsOf } from '../../../../crds/index.js';
import type { CertificateSpec } from '../../../../imports/index.js';
import type { Validity } from '../../../certificates/reading.js';

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
}

/** Milliseconds. A server that always suggests the past must not have a certificate renewed again and again. */
const leastUse = 6 * 3_600_000;

/**
 * When a certificate is renewed, in milliseconds since 1970 and whole seconds. A server can suggest an earlier time than the
 * spec, never a later one.
 */
export function renewalTimeOf(validity: Validity, { spec, uid, window }: RenewalRules): number {
  const own = exactTime(validity, spec, uid);
  const time = window ? Math.min(own, timeIn(window, validity, uid)) : own;
  return Math.floor(time / 1000) * 1000;
}

function timeIn({ start, end }: SuggestedWindow, { from, to }: Validity, uid: string): number {
  return Math.max(start + (end - start) * fractionOf(uid), from + Math.min(leastUse, (to - from) / 3));
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
