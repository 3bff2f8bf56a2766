import { createCipheriv, createHmac, hash, pbkdf2Sync } from 'node:crypto';
import {
  type AlgorithmIdentifier,
  algorithm,
  digestInfo,
  inDer,
  integer,
  type MacData,
  octets,
  pfx,
  sequence,
} from './asn1.js';

/** Iterations of each derivation: the default of OpenSSL. The Secret with a key store has the key in `tls.key` too. */
const iterations = 2048;

/** A password, and where the salts of a store come from. */
export interface Protection {
  readonly password: string;
  /**
   * Gives the same bytes for the same label. A store is thus the same as long as its content is, and a reconcile writes
   * nothing.
   */
  readonly salt: (label: string) => Buffer;
}

/** The salts of a store. @param key what others do not know @param content of the store */
export function saltsOf(key: Buffer, ...content: readonly (string | Buffer)[]): Protection['salt'] {
  const seed = createHmac('sha256', key);
  for (const part of content) seed.update(Buffer.from(inDer(octets(Buffer.from(part)))));
  const digest = seed.digest();
  return (label) => createHmac('sha256', digest).update(label).digest().subarray(0, 16);
}

const pbes2 = '1.2.840.113549.1.5.13';
const pbkdf2 = '1.2.840.113549.1.5.12';
const aes256 = '2.16.840.1.101.3.4.1.42';
const hmacWithSha256 = '1.2.840.113549.2.9';
const sha256 = '2.16.840.1.101.3.4.2.1';

/**
 * PBES2: AES-256-CBC with a key of PBKDF2 and HMAC-SHA-256.
 * @returns the algorithm with its parameters, and the encrypted content
 * @see https://www.rfc-editor.org/rfc/rfc8018#section-6.2
 */
export function encryptedWith(
  { password, salt }: Protection,
  label: string,
  content: Buffer,
): { readonly algorithm: AlgorithmIdentifier; readonly encrypted: Buffer } {
  const [keySalt, iv] = [salt(`${label} salt`), salt(`${label} iv`)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, keySalt, iterations, 32, 'sha256'), iv);
  const parameters = sequence(octets(keySalt), integer(iterations), algorithm(hmacWithSha256, null));
  const derivation = algorithm(pbkdf2, inDer(parameters));
  const encryption = algorithm(aes256, inDer(octets(iv)));
  return {
    algorithm: algorithm(pbes2, inDer(sequence(derivation, encryption))),
    encrypted: Buffer.concat([cipher.update(content), cipher.final()]),
  };
}

/**
 * MacData: HMAC-SHA-256 of the content.
 * @see https://www.rfc-editor.org/rfc/rfc7292#appendix-B
 */
export function authenticationOf({ password, salt }: Protection, content: Buffer): MacData {
  const macSalt = salt('mac');
  const digest = createHmac('sha256', macKeyOf(password, macSalt)).update(content).digest();
  const mac = digestInfo(algorithm(sha256, null), digest);
  return new (pfx().MacData)({ mac, macSalt: octets(macSalt), iterations });
}

/** The bytes that SHA-256 takes at a time. */
const block = 64;

/** The derivation of PKCS #12 for an output of the size of the hash, which takes one round. */
function macKeyOf(password: string, salt: Buffer): Buffer {
  const purpose = Buffer.alloc(block, 3);
  let key = Buffer.concat([purpose, repeated(salt), repeated(Buffer.from(`${password}\0`, 'utf16le').swap16())]);
  for (let round = 0; round < iterations; round++) key = hash('sha256', key, 'buffer');
  return key;
}

/** To a multiple of the block. */
function repeated(bytes: Buffer): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}
