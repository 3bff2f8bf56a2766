import { randomInt } from 'node:crypto';
import { CertificateAuthority } from '../certificates/authority.js';
import type { CredentialsAnswer, CredentialsQuestion } from '../controllers/database/credentials.js';
import type { Source } from '../runtime/port.js';

/** Days: as long as anybody will run the same instances. They are renewed by hand, see the page of the kind. */
const validity = 3650;

/** 32 of 62 characters: 190 bits. */
const length = 32;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Draws passwords and keys. Nothing that it answers is kept here. */
export const credentialsSource: Source<CredentialsQuestion, CredentialsAnswer> = async ({ passwords, certificate }) => {
  const drawn = Object.fromEntries(passwords.map((name) => [name, password()]));
  return { passwords: drawn, ...(certificate && { certified: await certified(certificate) }) };
};

/** Letters and digits alone: they stand in a URI, in SQL and in YAML as they are. */
function password(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

async function certified(subject: NonNullable<CredentialsQuestion['certificate']>) {
  const authority = await CertificateAuthority.create(validity);
  return { authority: authority.own, server: await authority.issue(subject) };
}
