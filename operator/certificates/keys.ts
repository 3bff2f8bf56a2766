// Its types are those of Node.js' current declarations, so no public declaration imports this file: projects of
// `cdk8s init` compile with older ones.
import { createPrivateKey, createPublicKey, generateKeyPair, KeyObject, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import type * as X509 from '@peculiar/x509';
import type { KeyKind } from './reading.js';

/** Loaded with the first certificate, because most operators make none. The library requires the polyfill. */
export async function library(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** By the names that Node.js has for the curves. */
const algorithms = {
  prime256v1: elliptic,
  secp384r1: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
} as const;

// An RSA key would take a hundred times as long to generate.
export function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(elliptic, true, ['sign', 'verify']);
}

// SEC 1, the format that an API server reads a public key from too.
export function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();
}

const generate = promisify(generateKeyPair) as (
  type: string,
  options: object,
) => Promise<{ readonly privateKey: KeyObject }>;

/** A new private key: PKCS #8, which every library reads, in PEM format. */
export async function newPrivateKey({ algorithm, size = algorithm === 'RSA' ? 2048 : 256 }: KeyKind): Promise<string> {
  const { privateKey } = await (algorithm === 'RSA'
    ? generate('rsa', { modulusLength: size })
    : algorithm === 'Ed25519'
      ? generate('ed25519', {})
      : generate('ec', { namedCurve: `P-${size}` }));
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * How the holder of a key signs certificates.
 * @throws {Error} for a key that WebCrypto does not know
 */
export async function signedWith(key: string) {
  const known = createPrivateKey(key);
  const signingAlgorithm = signingAlgorithmOf(known);
  const pkcs8 = known.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, signingAlgorithm, false, ['sign']);
  return { signingAlgorithm, signingKey };
}

/** The public key of a private key, as WebCrypto has it. */
export async function verificationKeyOf(key: string): Promise<webcrypto.CryptoKey> {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return webcrypto.subtle.importKey('spki', der, signingAlgorithmOf(createPrivateKey(key)), true, ['verify']);
}

function signingAlgorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return rsa;
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519', hash: 'SHA-512' } as const;
  const { namedCurve = '' } = asymmetricKeyDetails ?? {};
  const known = Object.entries(algorithms).find(([name]) => name === namedCurve);
  if (known) return known[1];
  throw new Error(`a key of type ${asymmetricKeyType} ${namedCurve} cannot sign: use ECDSA, RSA or Ed25519`);
}
