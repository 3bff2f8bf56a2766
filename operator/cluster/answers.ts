import { ApiError } from '../runtime/kubernetes/errors.js';
import type { LiveObject } from '../runtime/kubernetes/object.js';

/** A page of a list, as the API server writes it. */
export interface ListAnswer {
  /** Null if the server writes an empty list that way. */
  readonly items: readonly Omit<LiveObject, 'apiVersion' | 'kind'>[] | null;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

/**
 * Checks that a response is an object. Any other response with 200, from a proxy or of another kind, proves nothing and
 * counts as no answer.
 * @throws {ApiError} NoAnswer for anything else
 */
export function objectIn(value: unknown, asked: string): LiveObject {
  // Not by its version: an object that a dry run would create has none.
  if (typeof metadataOf(value)?.['uid'] === 'string') return value as LiveObject;
  throw another(value, asked, 'an object');
}

/**
 * The same for a list. A response without items would look like an empty list, and all objects like deleted ones.
 * @throws {ApiError} NoAnswer for anything else
 */
export function listIn(value: unknown, asked: string): ListAnswer {
  const { items } = (value ?? {}) as { readonly items?: unknown };
  const isVersioned = typeof metadataOf(value)?.['resourceVersion'] === 'string';
  if (isVersioned && (items === null || Array.isArray(items))) return value as ListAnswer;
  throw another(value, asked, 'a list');
}

/**
 * The entries of a discovery document. A document without the field would look like an empty one.
 * @throws {ApiError} NoAnswer for a document of another kind
 */
export function listedIn<T>(
  value: unknown,
  asked: string,
  { kind, field }: { kind: string; field: string },
): readonly T[] {
  const document = (value ?? {}) as Readonly<Record<string, unknown>>;
  const listed = document[field];
  if (document['kind'] === kind && Array.isArray(listed)) return listed;
  throw another(value, asked, `an ${kind}`);
}

function metadataOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return ((value ?? {}) as { readonly metadata?: Readonly<Record<string, unknown>> }).metadata;
}

function another(value: unknown, asked: string, wanted: string): ApiError {
  const { kind } = (value ?? {}) as { readonly kind?: unknown };
  const is = typeof kind === 'string' ? `a ${kind.slice(0, 63)}` : 'something else';
  return new ApiError(`${asked}: the answer is ${is}, not ${wanted}`, { code: 0, reason: 'NoAnswer' });
}
