import { certify, renewed } from '../../certificates/renewal.js';
import type { CredentialsAnswer, CredentialsQuestion } from '../../controllers/database/ports/credentials.js';
import { randomText } from '../../passwords/draw-source.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Source } from '../../runtime/ports/external-port.js';

/** 32 of 62 characters: 190 bits. */
const length = 32;

/** Generates passwords and keys, and renews certificates before they expire. It stores nothing. */
export function credentialsSource(clock: Pick<Clock, 'now'>): Source<CredentialsQuestion, CredentialsAnswer> {
  return async ({ passwords, certificate }) => {
    const { known, authority, ...subject } = certificate;
    const certified = await (known ? renewed(known, subject, clock.now()) : certify(subject, authority));
    const drawn = Object.fromEntries(passwords.map((name) => [name, randomText(length)]));
    return { passwords: drawn, ...(certified && { certified }) };
  };
}
