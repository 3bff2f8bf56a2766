import type { LiveSecret } from '../../runtime/index.js';

/** The text of a key of a Secret. Empty if it is missing, or if the Secret does not exist. */
export function textIn(secret: Pick<LiveSecret, 'data'> | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
}
