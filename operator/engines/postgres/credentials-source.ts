import { randomInt } from 'node:crypto';
import { certify, renewed } from '../../certificates/renewal.js';
import type { CredentialsAnswer, CredentialsQuestion } from '../../controllers/database/ports/credentials.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Source } from '../../runtime/ports/external-port.js';

/** 32 of 62 characters: 190 bits. */
const length = 32;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Draws passwords and keys, and renews certificates in time. Nothing that it answers is kept here. */
export function credentialsSource(clock: Pick<Clock, 'now'>): Source<CredentialsQuestion, CredentialsAnswer> {
  return async ({ passwords, certificate }) => {
    const { known, authority, ...subject } = certificate;
    const certified = await (known ? renewed(known, subject, clock.now()) : certify(subject, authority));
    const drawn = Object.fromEntries(passwords.map((name) => [name, password()]));
    return { passwords: drawn, ...(certified && { certified }) };
  };
}

/** Letters and digits alone: they stand in a URI, in SQL and in YAML as they are. */
function password(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
