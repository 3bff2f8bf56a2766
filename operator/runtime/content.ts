import { isRecord } from './merge-keys.js';
import type { LiveObject } from './object.js';

/** What moves with every write, whatever it was about. */
const versions: ReadonlySet<string> = new Set(['resourceVersion', 'generation']);

/**
 * True when two versions of an object differ in nothing but their status: what somebody wants of it is what it was, and
 * so is everything that others may have put on it.
 */
export function isSameButStatus(a: LiveObject, b: LiveObject): boolean {
  return isSameBut(a, b, (field) => field === 'status' || field === 'metadata') && isSameMeta(a.metadata, b.metadata);
}

function isSameMeta(a: object, b: object): boolean {
  return isSameBut(a, b, (field) => versions.has(field));
}

function isSameBut(a: object, b: object, isLeftOut: (field: string) => boolean): boolean {
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const field of Object.keys(right)) if (!isLeftOut(field) && !Object.hasOwn(left, field)) return false;
  return Object.keys(left).every(
    (field) => isLeftOut(field) || (Object.hasOwn(right, field) && isSame(left[field], right[field])),
  );
}

/** Of plain JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  return isRecord(a) && isRecord(b) && isSameBut(a, b, () => false);
}
