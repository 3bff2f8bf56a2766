import { createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalName } from './names.js';
import { InvalidInputError } from './wire.js';

/** Algorithms that are strong enough, with the hash of Node.js and the bytes of a signature. */
const algorithms = {
  'hmac-sha256': { hash: 'sha256', length: 32 },
  'hmac-sha384': { hash: 'sha384', length: 48 },
  'hmac-sha512': { hash: 'sha512', length: 64 },
} as const;

/** Bytes of a secret. A shorter one can be guessed. */
const shortestSecret = 16;

/** A key that a DNS server shares with the operator. It shows no secret if it is logged. */
export interface TsigKey {
  /** Canonical. */
  readonly name: string;
  readonly algorithm: keyof typeof algorithms;
  /** The name of the hash in Node.js. */
  readonly hash: string;
  /** Bytes of a signature. */
  readonly length: number;
  readonly secret: KeyObject;
}

/**
 * The key in the data of a Secret, with the fields that `tsig-keygen` prints:
 *
 * - `name`: the name of the key at the server
 * - `algorithm`: `hmac-sha256`, `hmac-sha384` or `hmac-sha512`. @default `hmac-sha256`
 * - `secret`: the shared secret in base64, at least 16 bytes
 *
 * @throws {InvalidInputError} if a field is missing or invalid. The message contains no secret
 * @see https://www.rfc-editor.org/rfc/rfc8945#section-6
 */
export function tsigKey(data: Readonly<Record<string, string>>): TsigKey {
  const field = (name: string) => data[name]?.trim() ?? '';
  for (const name of ['name', 'secret'])
    if (field(name) === '') throw new InvalidInputError(`${name}: Required value: the Secret must have it, for TSIG`);
  const algorithm = algorithmIn(field('algorithm') || 'hmac-sha256');
  return {
    name: canonicalName(field('name'), 'name'),
    algorithm,
    ...algorithms[algorithm],
    secret: createSecretKey(secretIn(field('secret'))),
  };
}

/** Also the spelling `HMACSHA256`. */
function algorithmIn(text: string): TsigKey['algorithm'] {
  const name = text.toLowerCase().replace(/^hmac(?=[a-z])/, 'hmac-');
  if (Object.hasOwn(algorithms, name)) return name as TsigKey['algorithm'];
  const isWeak = /sha-?1|sha-?224|md5/.test(name);
  const must = `must be ${Object.keys(algorithms).join(', ')}${isWeak ? '; others are too weak' : ''}`;
  throw new InvalidInputError(`algorithm: Unsupported value: ${JSON.stringify(text)}: ${must}`);
}

function secretIn(text: string): Buffer {
  const isBase64 = /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i.test(text);
  if (!isBase64) throw new InvalidInputError('secret: Invalid value: must be base64, as tsig-keygen prints it');
  const secret = Buffer.from(text, 'base64');
  if (secret.length >= shortestSecret) return secret;
  throw new InvalidInputError(`secret: Too short: must have at least ${shortestSecret} bytes; create a new key`);
}
