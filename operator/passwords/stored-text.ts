import type { CustomResource, LiveSecret, PollRequest } from '../runtime/index.js';
import type { DrawQuestion } from './draw.js';

/** The text of a key of a Secret. Undefined while there is none. */
export function storedText(
  secrets: readonly LiveSecret[],
  { name, key }: { readonly name: string; readonly key: string },
): string | undefined {
  const encoded = secrets.find(({ metadata }) => metadata.name === name)?.data?.[key];
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64').toString();
}

/** Asks for the one secret text of a resource. @param length number of characters */
export function drawnOnce(
  { metadata: { namespace, name, uid } }: Pick<CustomResource, 'metadata'>,
  { key, length }: { readonly key: string; readonly length: number },
): PollRequest<DrawQuestion> {
  const replaces = `${namespace}/${name} ${uid}`;
  return { question: { replaces, length, charset: 'Alphanumeric', keys: [key] }, interval: 3_600_000 };
}
