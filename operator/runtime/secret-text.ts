import { groupKindOf, type ObjectKind, Secret } from './kinds.js';
import { isRecord } from './merge-keys.js';
import type { Manifest } from './object.js';

/**
 * A Secret as the API server keeps it: what is stated as text (`stringData`) is data. The server never tells text back, so
 * that nobody could see whether it is still so, and which of it is wanted no more.
 *
 * What is no text stays as it is, for the server to refuse.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/secret-v1/
 */
export function withoutText(kind: ObjectKind, manifest: Manifest): Manifest {
  if (groupKindOf(kind) !== groupKindOf(Secret)) return manifest;
  const { stringData, data, ...rest } = manifest as Manifest & {
    readonly stringData?: unknown;
    readonly data?: unknown;
  };
  if (!isRecord(stringData) || !(data === undefined || isRecord(data))) return manifest;
  const texts = Object.entries(stringData);
  if (!texts.every(([, text]) => typeof text === 'string')) return manifest;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text as string).toString('base64')]);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as Manifest;
}
