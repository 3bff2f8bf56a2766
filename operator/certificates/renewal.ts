import { randomBytes, X509Certificate } from 'node:crypto';
import { CertificateAuthority, type CertifiedKey, type Subject } from './authority.js';

/** A server's certificate, who signs the next one, and whom everybody believes meanwhile. */
export interface Certified {
  readonly authority: CertifiedKey;
  readonly server: CertifiedKey;
  /** Authorities one after the other, PEM: the present one, and those before it that signed what is still in use. */
  readonly trusted: string;
}

const day = 86_400_000;
/** Days that an authority holds. */
const decade = 3650;
/** Days that what it signs for a server holds: what is renewed often is known to be renewable. */
const quarter = 90;
/** The part of its time after which a certificate is renewed: a third is left for whatever keeps somebody from it. */
const twoThirds = 2 / 3;
/** A new authority signs nothing before everybody has heard of it. Certificates are dated back by a day. */
const settled = 2 * day;
/** How our authorities are called; what follows tells one from the next, which OpenSSL takes for the same otherwise. */
const authorityName = 'cdk8s-reconstruct';

/** A first certificate, by a new authority unless there is one. */
export async function certify(subject: Subject, signer?: CertifiedKey): Promise<Certified> {
  const authority = signer ?? (await newAuthority());
  return { authority, server: await signedBy(authority, subject), trusted: authority.certificate };
}

/**
 * What is in the place of certificates after two thirds of their time. A new authority is believed first, beside the one
 * before it, and signs later.
 * @returns undefined where nothing is due, and of certificates that somebody else looks after
 */
export async function renewed(known: Certified, subject: Subject, now: number): Promise<Certified | undefined> {
  if (!isOurs(known)) return undefined;
  const isLost = known.authority.key === '';
  const authority = isLost || isDue(known.authority, now) ? await newAuthority() : known.authority;
  const trusted = trustedWith(authority, known.trusted, now);
  const mayRenew = isDue(known.server, now) && trusted === known.trusted && isSettled(authority, now);
  const server = mayRenew ? await signedBy(authority, subject) : known.server;
  return server === known.server && trusted === known.trusted ? undefined : { authority, server, trusted };
}

async function newAuthority(): Promise<CertifiedKey> {
  return (await CertificateAuthority.create(decade, `${authorityName} ${randomBytes(4).toString('hex')}`)).own;
}

function signedBy(authority: CertifiedKey, subject: Subject): Promise<CertifiedKey> {
  return new CertificateAuthority(authority, quarter).issue(subject);
}

/** True of a server whose certificate is of one of our authorities. */
function isOurs({ authority, server, trusted }: Certified): boolean {
  const all = [authority.certificate, ...certificatesIn(trusted)].map(parsed);
  const signed = parsed(server.certificate);
  const isOwn = (one: X509Certificate | undefined) => one?.subject.startsWith(`CN=${authorityName}`) ?? false;
  return all.every(isOwn) && all.some((one) => one !== undefined && signed?.verify(one.publicKey) === true);
}

function isDue({ certificate }: CertifiedKey, now: number): boolean {
  const { from = 0, to = 0 } = timesOf(certificate);
  return now >= from + twoThirds * (to - from);
}

function isSettled({ certificate }: CertifiedKey, now: number): boolean {
  return now >= (timesOf(certificate).from ?? 0) + settled;
}

/** The authority first, then those before it that have not ended. */
function trustedWith({ certificate }: CertifiedKey, before: string, now: number): string {
  const isUsed = (one: string) => one.trim() !== certificate.trim() && (timesOf(one).to ?? 0) > now;
  const others = certificatesIn(before).filter(isUsed);
  return others.length === 0 ? certificate : [certificate, ...others].map((one) => `${one.trim()}\n`).join('');
}

function timesOf(certificate: string): { readonly from?: number; readonly to?: number } {
  const known = parsed(certificate);
  return known ? { from: Date.parse(known.validFrom), to: Date.parse(known.validTo) } : {};
}

function certificatesIn(bundle: string): readonly string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Anybody may have written something else there. */
function parsed(certificate: string): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate);
  } catch {
    return undefined;
  }
}
