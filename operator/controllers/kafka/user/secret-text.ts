import type { LiveSecret } from '../../../runtime/index.js';

/** The text of a key. Empty without the key. */
export function textIn(data: LiveSecret['data'], key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString();
}
