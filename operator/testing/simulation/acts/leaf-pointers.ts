import { isRecord, pointerToken } from '../../../runtime/kubernetes/json.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';

/** JSON pointers to the texts and numbers of an object that are its author's. */
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
