import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** The number of rounds that PostgreSQL uses. */
const rounds = 4096;
const saltBytes = 16;

/**
 * The form in which PostgreSQL stores a password. It is sent instead of the password, so that no statement in a log has
 * one.
 * @param password printable ASCII, to which SASLprep changes nothing
 * @see https://datatracker.ietf.org/doc/html/rfc5803
 */
export async function scramVerifier(password: string, salt = randomBytes(saltBytes)): Promise<string> {
  const salted = await promisify(pbkdf2)(password, salt, rounds, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${server}`;
}
