import {
  certificatesIn,
  fingerprintOf,
  isOfKind,
  type KeyKind,
  namesOf,
  parsed,
  validityOf,
} from '../../../certificates/reading.js';
import { backdatedBy, isAhead } from '../../../certificates/times.js';
import type { KeyPair } from '../ports/authority.js';
import { type Authority, authorityOf, type StoredAuthorities } from './authority-secret.js';

/** What a Certificate of the issuer reports. */
export interface IssuerUser {
  readonly name: string;
  /** The CA that signed its certificate. Undefined if it has none yet. */
  readonly issuerFingerprint?: string | undefined;
  /** Other CAs, whose certificates its consumers may still use. */
  readonly earlierIssuerFingerprints: readonly string[];
  /** The CAs in its Secret. */
  readonly trustedFingerprints: readonly string[];
  /** Each of its consumers was seen with the content of its Secret. */
  readonly isAdopted: boolean;
}

/** A CA that the operator generates. Durations are in milliseconds. */
export interface AuthoritySettings {
  readonly commonName: string;
  readonly privateKey: KeyKind;
  readonly duration: number;
  readonly renewBefore: number;
}

/** What decides about the CA of an issuer. Times are in milliseconds since 1970. */
export interface RolloverSituation {
  readonly settings: AuthoritySettings;
  readonly stored: StoredAuthorities;
  /** The bundle in the status, PEM. */
  readonly published: string;
  /** Whether the status records that a CA is generated. */
  readonly isIssuing: boolean;
  /** The generated CA. */
  readonly generated?: KeyPair | undefined;
  readonly users: readonly IssuerUser[];
  readonly unusedSince?: number | undefined;
  readonly now: number;
}

/** The CAs that the Secret must have now. */
export interface Rollover {
  /** Undefined until the first CA is generated. */
  readonly current?: Authority | undefined;
  readonly next?: Authority | undefined;
  /** CA certificates that clients trust besides, PEM. */
  readonly earlier: readonly string[];
}

/** Why the operator must generate a CA. */
export type GenerationCause = 'Missing' | 'Expired' | 'NotYetValid' | 'Expiring' | 'SpecChanged';

const day = 86_400_000;

/**
 * Milliseconds that clients get to load a changed bundle: before the next CA signs, and before the bundle loses an
 * earlier CA. A tenth of `renewBefore`, at most a day.
 */
export function settlingTime({ duration, renewBefore }: AuthoritySettings): number {
  return Math.min(day, Math.floor(renewBefore / 10)) + backdatedBy(duration);
}

/** The next safe step: a generated CA is first trusted, then it signs, and then the earlier one is no longer trusted. */
export function rolloverOf(situation: RolloverSituation): Rollover {
  const { stored, isIssuing, generated, now } = situation;
  const isDue = isIssuing && generated !== undefined && generationCause(situation) !== undefined;
  const made = isDue ? usable(authorityOf(generated), now) : undefined;
  const known = usable(stored.next, now) ?? made ?? stored.next;
  const isUsable = usable(stored.current, now) !== undefined;
  const current = isUsable ? stored.current : (known ?? stored.current);
  const next = isUsable ? known : undefined;
  const isPromoted = current !== undefined && next !== undefined && isTrusted(next, { ...situation, current });
  const signing = isPromoted ? next : current;
  const waiting = isPromoted ? undefined : next;
  // The certificates of the CA that signed until now are in use.
  const unusedSince = isPromoted ? undefined : situation.unusedSince;
  return { current: signing, next: waiting, earlier: earlierOf({ ...situation, unusedSince }, [signing, waiting]) };
}

/** A CA that can sign now. Undefined if it has expired, or if its validity starts in the future. */
export function usable(authority: Authority | undefined, now: number): Authority | undefined {
  return authority && authority.to > now && !isAhead(authority.from, now) ? authority : undefined;
}

/** Undefined while a CA is usable and no other is due. */
export function generationCause(situation: RolloverSituation): GenerationCause | undefined {
  const { stored, settings, now } = situation;
  const { current, next } = stored;
  if (usable(next, now)) return undefined;
  if (!current) return 'Missing';
  if (current.to <= now) return 'Expired';
  if (!usable(current, now) || (next && next.to > now)) return 'NotYetValid';
  if (now >= current.to - renewBeforeOf(current, settings)) return 'Expiring';
  return isAsWanted(current, settings) ? undefined : 'SpecChanged';
}

/** When the next CA is generated, in milliseconds since 1970. */
export function authorityRenewalTime(current: Pick<Authority, 'from' | 'to'>, settings: AuthoritySettings): number {
  return current.to - renewBeforeOf(current, settings);
}

/** A CA that is valid for a shorter time than the spec states now would be renewed at once, again and again. */
function renewBeforeOf({ from, to }: Pick<Authority, 'from' | 'to'>, { renewBefore }: AuthoritySettings): number {
  return renewBefore < to - from ? renewBefore : Math.floor((to - from) / 3);
}

function isAsWanted({ certificate, key }: Authority, { commonName, privateKey }: AuthoritySettings): boolean {
  const known = parsed(certificate);
  return known !== undefined && namesOf(known).commonName === commonName && isOfKind(key, privateKey);
}

/** When a next CA can sign at the earliest, and when it signs whatever the Certificates report. */
export function promotionTimes(current: Authority, next: Authority, settings: AuthoritySettings) {
  const earliest = next.from + settlingTime(settings);
  const latest = Math.max(earliest, current.to - Math.floor(renewBeforeOf(current, settings) / 2));
  return { earliest, latest };
}

/** Whether the next CA can sign: clients have had time to load the bundle, and every Certificate and its consumers have it. */
function isTrusted(next: Authority, situation: RolloverSituation & { readonly current: Authority }): boolean {
  const { current, settings, users, now } = situation;
  const { earliest, latest } = promotionTimes(current, next, settings);
  const isPublished = users.every(
    ({ issuerFingerprint, trustedFingerprints, isAdopted }) =>
      issuerFingerprint === undefined || (isAdopted && trustedFingerprints.includes(next.fingerprint)),
  );
  return now >= latest || (now >= earliest && isPublished);
}

interface EarlierSituation extends Pick<RolloverSituation, 'stored' | 'published' | 'users' | 'unusedSince' | 'now'> {
  readonly settings: Pick<AuthoritySettings, 'duration' | 'renewBefore'>;
}

/**
 * The CA certificates that clients trust besides: those whose certificates are in use, or were until a short time ago,
 * and that have not expired. The status has them too, if the Secret is lost.
 */
export function earlierOf(
  { stored, published, users, unusedSince, now, settings }: EarlierSituation,
  present: readonly (Pick<Authority, 'fingerprint'> | undefined)[],
): readonly string[] {
  const own = new Set(present.map((one) => one?.fingerprint));
  const known = new Map(
    [...stored.trusted, ...certificatesIn(published)].flatMap((pem) => {
      const certificate = parsed(pem);
      return certificate ? [[fingerprintOf(certificate), { pem, to: validityOf(certificate).to }] as const] : [];
    }),
  );
  const isSettled = unusedSince !== undefined && now >= unusedSince + settlingTime(settings as AuthoritySettings);
  const isKept = (fingerprint: string) => users.some((user) => authoritiesOf(user).includes(fingerprint)) || !isSettled;
  return [...known].flatMap(([fingerprint, { pem, to }]) =>
    !own.has(fingerprint) && to > now && isKept(fingerprint) ? [pem] : [],
  );
}

/** The CAs whose certificates a Certificate and its consumers use. */
function authoritiesOf({ issuerFingerprint, earlierIssuerFingerprints }: IssuerUser): readonly string[] {
  return [...(issuerFingerprint === undefined ? [] : [issuerFingerprint]), ...earlierIssuerFingerprints];
}

/** Who uses certificates of earlier CAs. */
export type EarlierUse =
  | { readonly by: 'nobody' }
  /** Certificates were not issued anew yet. */
  | { readonly by: 'certificates' }
  /** Certificates were issued anew, and their consumers were not seen with them. */
  | { readonly by: 'consumers'; readonly names: readonly string[] };

/** Who uses certificates of the earlier CAs. */
export function earlierUse(earlier: readonly string[], users: readonly IssuerUser[]): EarlierUse {
  const fingerprints = earlier.flatMap((pem) => {
    const certificate = parsed(pem);
    return certificate ? [fingerprintOf(certificate)] : [];
  });
  const using = users.filter((user) => authoritiesOf(user).some((one) => fingerprints.includes(one)));
  if (using.length === 0) return { by: 'nobody' };
  if (using.some(({ issuerFingerprint = '' }) => fingerprints.includes(issuerFingerprint)))
    return { by: 'certificates' };
  return { by: 'consumers', names: [...new Set(using.map(({ name }) => name))].toSorted() };
}
