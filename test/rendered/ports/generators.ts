import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { certificateOf, keyOf } from './fixed-keys.js';
import type { System, Systems } from './system.js';

/** Sources of keys, certificates and passwords, whose answers follow from the questions. */
export function generators(): Systems {
  /** The keys of the authorities that were generated, by the fingerprint of their certificate. */
  const authorities = new Map<string, { readonly certificate: string; readonly key: string }>();
  const newAuthority = async (commonName: string, follows: string, validity: Validity) => {
    const key = keyOf(`authority ${commonName} ${follows}`);
    const certificate = await certificateOf(
      { commonName, isCA: true, usages: ['digital signature'], ...validity },
      { key },
    );
    const pair = { certificate, key };
    authorities.set(fingerprintOf(certificate), pair);
    return pair;
  };
  return {
    'reconstruct/draw': {
      answer: ({ keys, replaces, length = 0 }) =>
        Object.fromEntries(keys.map((key: string) => [key, `${key}-after-${replaces}`.padEnd(length, '.')])),
    },
    'reconstruct/private-key': {
      answer: ({ algorithm, size, replaces }) => ({ key: keyOf(`${algorithm} ${size} ${replaces}`) }),
    },
    'reconstruct/certificate-authority': {
      answer: ({ commonName, follows, duration }, { now }) => newAuthority(commonName, follows, within(duration, now)),
    },
    'reconstruct/certificate-signing': {
      answer: async ({ publicKey, names, isCA, usages, duration, authority, replaces }, { now }) => {
        const signer = authorities.get(authority);
        if (!signer) throw new Error(`no authority has the fingerprint ${authority}`);
        const { commonName = '', dnsNames } = names;
        const content = { commonName, dnsNames, isCA, usages, publicKey, replaces, ...within(duration, now) };
        return { certificate: await certificateOf(content, signer) };
      },
    },
    'reconstruct/credentials': credentials(newAuthority),
  };
}

interface Validity {
  readonly from: number;
  readonly to: number;
}

type NewAuthority = (name: string, follows: string, validity: Validity) => Promise<Pair>;
type Pair = { readonly certificate: string; readonly key: string };

const tenYears = 10 * 365 * 86_400_000;

/** Draws what instances of a Database lack. */
function credentials(newAuthority: NewAuthority): System {
  return {
    answer: async ({ passwords, certificate }, { now }) => {
      const { commonName, hosts, known, authority: given } = certificate;
      const drawn = Object.fromEntries(passwords.map((name: string) => [name, `password-of-${name}`]));
      if (known) return { passwords: drawn };
      const validity = within(tenYears, now);
      const authority = given ?? (await newAuthority(`authority of ${commonName}`, '', validity));
      const key = keyOf(`server ${commonName}`);
      const content = { commonName, dnsNames: hosts, ...validity, publicKey: publicKeyOf(key) };
      const server = { certificate: await certificateOf(content, authority), key };
      return { passwords: drawn, certified: { authority, server, trusted: authority.certificate } };
    },
  };
}

function within(duration: number, now: number): Validity {
  const second = 1000;
  const from = Math.floor(now / second) * second;
  return { from: from - second, to: from + duration };
}

/** SHA-256, in hexadecimal digits. */
export function fingerprintOf(pem: string): string {
  return createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
}

/** SubjectPublicKeyInfo, in base64. */
function publicKeyOf(key: string): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}
