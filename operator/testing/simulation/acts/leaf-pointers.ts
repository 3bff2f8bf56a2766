import { isRecord, pointerToken } from '../../../runtime/kubernetes/json.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';

/** JSON pointers to the strings and numbers in the content of an object. */
export function leafPointers(object: LiveObject): string[] {
  const {
    apiVersion: _,
    kind: __,
    metadata: ___,
    status: ____,
    ...content
  } = object as LiveObject & { status?: unknown };
  return below(content, '');
}

function below(value: unknown, pointer: string): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [pointer];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => below(inner, `${pointer}/${pointerToken(key)}`));
}
