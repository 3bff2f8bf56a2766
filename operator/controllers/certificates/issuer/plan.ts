import { type Authority, authorityOf } from './authority/authority-secret.js';
import { promotionTimes, usable } from './authority/authority-times.js';
import { earlierOf } from './authority/earlier-authorities.js';
import { bundledTime } from './authority/trust-bundles.js';
import { type GeneratedSituation, generationCause } from './situation.js';

/** The CAs that the Secret must have now. */
export interface Plan {
  /** Undefined until the first CA is generated. */
  readonly current?: Authority | undefined;
  readonly next?: Authority | undefined;
  /** CA certificates that clients trust besides, PEM. */
  readonly earlier: readonly string[];
}

/** The next safe step: a generated CA is first trusted, then it signs, and then the earlier one is no longer trusted. */
export function planOf(situation: GeneratedSituation): Plan {
  const { stored, isIssuing, generated, now } = situation;
  const isDue = isIssuing && generated !== undefined && generationCause(situation) !== undefined;
  const made = isDue ? usable(authorityOf(generated), now) : undefined;
  const known = usable(stored.next, now) ?? made ?? stored.next;
  const isUsable = usable(stored.current, now) !== undefined;
  const current = isUsable ? stored.current : (known ?? stored.current);
  const next = isUsable ? known : undefined;
  const isPromoted = current !== undefined && next !== undefined && isTrusted(next, current, situation);
  const signing = isPromoted ? next : current;
  const waiting = isPromoted ? undefined : next;
  // The certificates of the CA that signed until now are in use.
  const unusedSince = isPromoted ? undefined : situation.unusedSince;
  return { current: signing, next: waiting, earlier: earlierOf({ ...situation, unusedSince }, [signing, waiting]) };
}

/**
 * Whether the next CA can sign: clients have had time to load the bundle, every Certificate and its consumers have it, and so
 * has every TrustBundle that names the issuer.
 */
function isTrusted(next: Authority, current: Authority, situation: GeneratedSituation): boolean {
  const { settings, users, bundles, now } = situation;
  const { earliest, latest, last } = promotionTimes(current, next, settings);
  const bundled = bundledTime(next.fingerprint, bundles, settings);
  if (now >= last) return true;
  if (bundled === undefined || now < bundled) return false;
  const isPublished = users.every(
    ({ issuerFingerprint, trustedFingerprints, isAdopted }) =>
      issuerFingerprint === undefined || (isAdopted && trustedFingerprints.includes(next.fingerprint)),
  );
  return now >= latest || (now >= earliest && isPublished);
}
