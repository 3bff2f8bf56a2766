import { fingerprint } from '../manifest/fingerprint.js';

/** The values of a credential by their keys: `username` and `password` of a login, or random values. */
export type Credential = Readonly<Record<string, string>>;

/**
 * Identifies a credential without containing it: a short hash. Nobody can find a value by trying, because each value has
 * at least 96 random bits.
 */
export function credentialHash(credential: Credential): string {
  return fingerprint(Object.entries(credential).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
