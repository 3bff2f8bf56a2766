import { createHash } from 'node:crypto';
import { secondsOf } from '../../../../crds/index.js';
import type { CertificateSpec } from '../../../../imports/index.js';
import type { Validity } from '../../../certificates/reading.js';

/** The part of the validity over which renewals are spread. */
const spread = 0.05;

/**
 * When a certificate is renewed, in milliseconds since 1970 and whole seconds.
 * @param uid the UID of the Certificate, which decides about the spread
 */
export function renewalTimeOf(validity: Validity, spec: CertificateSpec, uid: string): number {
  return Math.floor(exactTime(validity, spec, uid) / 1000) * 1000;
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
