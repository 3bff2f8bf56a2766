import { createHash } from 'node:crypto';

/** The domain of the annotations. The name of a Secret follows, so each Secret has its own. */
const domain = 'secret-hash.reconstruct.dev';
/** The longest name of an annotation behind its domain. */
const longest = 63;

/** The annotation of a Pod template that identifies the content of a Secret. A long name of a Secret is shortened. */
export function hashAnnotation(secret: string): string {
  if (secret.length <= longest) return `${domain}/${secret}`;
  const hash = digest(secret).slice(0, 12);
  return `${domain}/${secret.slice(0, longest - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`;
}

/**
 * Identifies the content of a Secret without containing it. The content decides, not the version of the object, so a
 * write that changes nothing restarts nothing.
 * @param data in base64, by key
 */
export function contentHash(data: Readonly<Record<string, string>>): string {
  const entries = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return digest(JSON.stringify(entries)).slice(0, 16);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
