import { createHash } from 'node:crypto';

/** A short hash of a value. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
