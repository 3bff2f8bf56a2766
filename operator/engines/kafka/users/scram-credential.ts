import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** Rounds of PBKDF2. Kafka accepts 4096 to 16384. */
const iterations = 8_192;
const saltBytes = 16;
const saltedBytes = 64;
/** The number of SCRAM-SHA-512 in the protocol. */
export const scramSha512 = 2;

/** What Kafka stores of a password. */
export interface ScramCredential {
  readonly mechanism: typeof scramSha512;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly saltedPassword: Buffer;
}

/**
 * The form of a password that is sent to Kafka, which never sees the password itself.
 * @param password printable ASCII, to which SASLprep changes nothing
 * @see https://datatracker.ietf.org/doc/html/rfc5802#section-3
 */
export async function scramCredential(password: string, salt = randomBytes(saltBytes)): Promise<ScramCredential> {
  const saltedPassword = await promisify(pbkdf2)(password, salt, iterations, saltedBytes, 'sha512');
  return { mechanism: scramSha512, iterations, salt, saltedPassword };
}

/** The form of a password that nobody has. */
export function randomCredential(): ScramCredential {
  const [salt, saltedPassword] = [randomBytes(saltBytes), randomBytes(saltedBytes)];
  return { mechanism: scramSha512, iterations, salt, saltedPassword };
}
