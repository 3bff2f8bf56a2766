import { certificatesIn, fingerprintOf, parsed, validityOf } from '../../../../certificates/reading.js';
import type { Authority, StoredAuthorities } from './authority-secret.js';
import { type AuthorityLifetime, settlingTime } from './authority-times.js';

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

/** What decides which earlier CAs clients must trust. Times are in milliseconds since 1970. */
export interface EarlierInput {
  readonly stored: Pick<StoredAuthorities, 'trusted'>;
  /** The bundle in the status, PEM. */
  readonly published: string;
  readonly users: readonly IssuerUser[];
  readonly unusedSince?: number | undefined;
  readonly now: number;
  readonly settings: AuthorityLifetime;
}

/**
 * The CA certificates that clients trust besides: those whose certificates are in use, or were until a short time ago,
 * and that have not expired. The status has them too, if the Secret is lost.
 */
export function earlierOf(
  { stored, published, users, unusedSince, now, settings }: EarlierInput,
  present: readonly (Pick<Authority, 'fingerprint'> | undefined)[],
): readonly string[] {
  const own = new Set(present.map((one) => one?.fingerprint));
  const known = new Map(
    [...stored.trusted, ...certificatesIn(published)].flatMap((pem) => {
      const certificate = parsed(pem);
      return certificate ? [[fingerprintOf(certificate), { pem, to: validityOf(certificate).to }] as const] : [];
    }),
  );
  const isSettled = unusedSince !== undefined && now >= unusedSince + settlingTime(settings);
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
