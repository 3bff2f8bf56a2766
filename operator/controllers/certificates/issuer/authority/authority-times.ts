import type { KeyKind } from '../../../../certificates/reading.js';
import { backdatedBy, isAhead } from '../../../../certificates/times.js';
import type { Authority } from './authority-secret.js';

/** A CA that the operator generates. Durations are in milliseconds. */
export interface AuthoritySettings extends AuthorityLifetime {
  readonly commonName: string;
  readonly privateKey: KeyKind;
}

/** Milliseconds. */
export interface AuthorityLifetime {
  readonly duration: number;
  readonly renewBefore: number;
}

const day = 86_400_000;

/**
 * Milliseconds that clients get to load a changed bundle: before the next CA signs, and before the bundle loses an
 * earlier CA. A tenth of `renewBefore`, at most a day.
 */
export function settlingTime(lifetime: AuthorityLifetime): number {
  return loadingTime(lifetime) + backdatedBy(lifetime.duration);
}

/** Milliseconds that clients get to load a bundle, from the time at which it is published. */
export function loadingTime({ renewBefore }: Pick<AuthorityLifetime, 'renewBefore'>): number {
  return Math.min(day, Math.floor(renewBefore / 10));
}

/** A CA that can sign now. Undefined if it has expired, or if its validity starts in the future. */
export function usable(authority: Authority | undefined, now: number): Authority | undefined {
  return authority && authority.to > now && !isAhead(authority.from, now) ? authority : undefined;
}

/** When the next CA is generated, in milliseconds since 1970. */
export function authorityRenewalTime(
  current: Pick<Authority, 'from' | 'to'>,
  lifetime: Pick<AuthorityLifetime, 'renewBefore'>,
): number {
  return current.to - renewBeforeOf(current, lifetime);
}

/** A CA that is valid for a shorter time than the spec states now would be renewed at once, again and again. */
function renewBeforeOf(
  { from, to }: Pick<Authority, 'from' | 'to'>,
  { renewBefore }: Pick<AuthorityLifetime, 'renewBefore'>,
): number {
  return renewBefore < to - from ? renewBefore : Math.floor((to - from) / 3);
}

/**
 * When a next CA can sign at the earliest, when it signs whatever the Certificates report, and when it signs without the
 * TrustBundles, because the current CA would end and with it all certificates.
 */
export function promotionTimes(current: Authority, next: Authority, lifetime: AuthorityLifetime) {
  const earliest = next.from + settlingTime(lifetime);
  const latest = Math.max(earliest, current.to - Math.floor(renewBeforeOf(current, lifetime) / 2));
  const last = Math.max(latest, current.to - settlingTime(lifetime));
  return { earliest, latest, last };
}

/** When the user of a CA is asked to renew it, in milliseconds since 1970: when a tenth of its validity is left. */
export function warningTime({ from, to }: Pick<Authority, 'from' | 'to'>): number {
  return to - Math.floor((to - from) / 10);
}
