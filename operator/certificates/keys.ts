// Its types are those of Node.js' current declarations, so no public declaration imports this file: projects of
// `cdk8s init` compile with older ones.
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import type * as X509 from '@peculiar/x509';

/** Loaded with the first certificate, because most operators make none. The library requires the polyfill. */
export async function library(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

// An RSA key would take a hundred times as long to generate.
export function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(elliptic, true, ['sign', 'verify']);
}

// SEC 1, the format that an API server reads a public key from too.
export function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();
}

/** How the holder of a key signs certificates. Earlier versions made authorities with RSA keys. */
export async function signedWith(key: string) {
  const known = createPrivateKey(key);
  const signingAlgorithm = known.asymmetricKeyType === 'rsa' ? rsa : elliptic;
  const pkcs8 = known.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, signingAlgorithm, false, ['sign']);
  return { signingAlgorithm, signingKey };
}
