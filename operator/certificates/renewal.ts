import { createPrivateKey, randomBytes, type X509Certificate } from 'node:crypto';
import { CertificateAuthority, type CertifiedKey, type Subject } from './authority.js';
import { certificatesIn, parsed, validityOf } from './reading.js';

/** A server's certificate, the authority that signs the next one, and the trusted authorities. */
export interface Certified {
  readonly authority: CertifiedKey;
  readonly server: CertifiedKey;
  /** Concatenated authorities in PEM format: the present one, and earlier ones whose certificates are still in use. */
  readonly trusted: string;
}

const day = 86_400_000;
/** The validity of an authority in days. */
const decade = 3650;
/** The validity of a server certificate in days. Frequent renewals show that renewing works. */
const quarter = 90;
/** The part of its validity after which a certificate is renewed. A third is left to fix a failure. */
const twoThirds = 2 / 3;
/** A new authority signs nothing before all clients trust it. Certificates are backdated by a day. */
const settled = 2 * day;
/**
 * The name of our authorities. A suffix distinguishes them, because OpenSSL would treat equal names as the same
 * authority.
 */
const authorityName = 'cdk8s-reconstruct';

/** A first certificate, signed by a new authority unless one is given. */
export async function certify(subject: Subject, signer?: CertifiedKey): Promise<Certified> {
  const authority = signer ?? (await newAuthority());
  return { authority, server: await signedBy(authority, subject), trusted: authority.certificate };
}

/**
 * The replacement of certificates after two thirds of their validity. A new authority is first trusted besides the
 * previous one, and signs later.
 * @returns undefined if nothing is due, or if the certificates are managed elsewhere
 */
export async function renewed(known: Certified, subject: Subject, now: number): Promise<Certified | undefined> {
  const isBroken = !isUsable(known.server);
  if (!isOurs(known, isBroken)) return undefined;
  const isLost = known.authority.key === '';
  const authority = isLost || isDue(known.authority, now) ? await newAuthority() : known.authority;
  const trusted = trustedWith(authority, known.trusted, now);
  const mayRenew = isDue(known.server, now) && trusted === known.trusted && isSettled(authority, now);
  // Nobody trusts a new authority yet, so it does not replace a broken certificate at once.
  const mayReplace = isBroken && authority === known.authority;
  const server = mayRenew || mayReplace ? await signedBy(authority, subject) : known.server;
  return server === known.server && trusted === known.trusted ? undefined : { authority, server, trusted };
}

async function newAuthority(): Promise<CertifiedKey> {
  return (await CertificateAuthority.create(decade, `${authorityName} ${randomBytes(4).toString('hex')}`)).own;
}

function signedBy(authority: CertifiedKey, subject: Subject): Promise<CertifiedKey> {
  return new CertificateAuthority(authority, quarter).issue(subject);
}

/** True if it is a certificate with its own key. */
function isUsable({ certificate, key }: CertifiedKey): boolean {
  try {
    return parsed(certificate)?.checkPrivateKey(createPrivateKey(key)) ?? false;
  } catch {
    return false;
  }
}

/** True if one of our authorities signed the server's certificate. A broken one was signed by nobody else either. */
function isOurs({ authority, server, trusted }: Certified, isBroken: boolean): boolean {
  const all = [authority.certificate, ...certificatesIn(trusted)].map(parsed);
  const signed = parsed(server.certificate);
  const isOwn = (one: X509Certificate | undefined) => one?.subject.startsWith(`CN=${authorityName}`) ?? false;
  if (isBroken && signed === undefined) return all.every(isOwn);
  return all.every(isOwn) && all.some((one) => one !== undefined && signed?.verify(one.publicKey) === true);
}

function isDue({ certificate }: CertifiedKey, now: number): boolean {
  const { from = 0, to = 0 } = timesOf(certificate);
  return now >= from + twoThirds * (to - from);
}

function isSettled({ certificate }: CertifiedKey, now: number): boolean {
  return now >= (timesOf(certificate).from ?? 0) + settled;
}

/** The authority, followed by the earlier ones that have not expired. */
function trustedWith({ certificate }: CertifiedKey, before: string, now: number): string {
  const isUsed = (one: string) => one.trim() !== certificate.trim() && (timesOf(one).to ?? 0) > now;
  const others = certificatesIn(before).filter(isUsed);
  return others.length === 0 ? certificate : [certificate, ...others].map((one) => `${one.trim()}\n`).join('');
}

function timesOf(certificate: string): { readonly from?: number; readonly to?: number } {
  const known = parsed(certificate);
  return known ? validityOf(known) : {};
}
