import { createHash, createHmac } from 'node:crypto';
import type { GeneratedSecrets } from './database-secrets.js';

/** The passwords of each Secret, by the end of its name. */
const held = { superuser: ['superuser'], app: ['app'], internal: ['replication', 'rewind'] } as const;

/** The Secrets with passwords, by the end of their names. */
export const secretsWithPasswords = Object.keys(held) as readonly (keyof typeof held)[];

/** Identifies passwords without containing them. */
export interface PasswordMarks {
  /** A hash of the certificate whose key the marks need. */
  readonly certificate: string;
  /** A mark of the passwords of each Secret, by the end of its name. */
  readonly applied: Readonly<Record<string, string>>;
}

/**
 * Identifies the passwords of the Secrets as an instance reports those that it uses. A mark is a keyed hash: it cannot be
 * compared with guessed passwords without the key of the certificate.
 *
 * @returns undefined unless all passwords are known
 * @see images/postgres/bin/credentials.py
 */
export function passwordMarks(
  passwords: Partial<GeneratedSecrets['passwords']>,
  { certificate, key }: GeneratedSecrets['certified']['server'],
): PasswordMarks | undefined {
  const applied: Record<string, string> = {};
  for (const end of secretsWithPasswords) {
    const texts = held[end].map((name) => passwords[name]);
    if (texts.includes(undefined)) return undefined;
    applied[end] = short(createHmac('sha256', key).update(texts.join('\n')).digest('hex'));
  }
  return { certificate: short(createHash('sha256').update(certificate).digest('hex')), applied };
}

function short(hash: string): string {
  return hash.slice(0, 16);
}
