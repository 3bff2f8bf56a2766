import { isRecord } from './json.js';
import type { LiveObject } from './object.js';

const itself: ReadonlySet<string> = new Set(['status', 'metadata']);
/** Fields that change with every write, and fields that are compared separately. */
const apart: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'annotations']);
/** Annotations that act as a status: Kubernetes writes them with every rollout. */
const kubernetesOwn: ReadonlySet<string> = new Set(['deployment.kubernetes.io/revision']);
const runtimeOwn = 'reconstruct.dev/';
/** Annotations of this and of other controllers. */
const runtimeKey = /^([^/]+\.)?reconstruct\.dev\//;
const nothing: ReadonlySet<string> = new Set();

/**
 * True if an object that was as desired still is: only its status and annotations that others added differ. This
 * process cannot have stated an annotation that was absent before.
 */
export function isSameButStatus(before: LiveObject, after: LiveObject): boolean {
  return (
    isSameBut(itself, before, after) &&
    isSameBut(apart, before.metadata, after.metadata) &&
    keeps(before.metadata.annotations ?? {}, after.metadata.annotations ?? {})
  );
}

/**
 * True if a user changed neither object into the other: their generations are equal. A kind without generations, such as
 * Namespace, is compared by its labels, its annotations of others, and its fields except the status.
 */
export function isSameSpec(before: LiveObject, after: LiveObject): boolean {
  if (before === after) return true;
  const [{ metadata: one }, { metadata: other }] = [before, after];
  if (one.generation !== undefined || other.generation !== undefined) return one.generation === other.generation;
  return isSameBut(itself, before, after) && isSame(decided(one), decided(other));
}

/** What a user decided in an object of a kind without generations. */
export function specOf({ status: _, metadata, ...fields }: LiveObject & { readonly status?: unknown }): object {
  return { ...fields, ...decided(metadata) };
}

function decided({ labels = {}, annotations = {} }: LiveObject['metadata']): object {
  const others = Object.entries(annotations).filter(([key]) => !runtimeKey.test(key));
  return { labels, annotations: Object.fromEntries(others) };
}

function keeps(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): boolean {
  const isKept = (key: string) => kubernetesOwn.has(key) || (Object.hasOwn(after, key) && before[key] === after[key]);
  const isAdded = (key: string) => Object.hasOwn(before, key) || !key.startsWith(runtimeOwn);
  return Object.keys(before).every(isKept) && Object.keys(after).every(isAdded);
}

/** Runs for every event of a watch. It avoids a list of the fields, which would be most of the cost. */
function isSameBut(leftOut: ReadonlySet<string>, a: object, b: object): boolean {
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const field in right) if (!leftOut.has(field) && !Object.hasOwn(left, field)) return false;
  for (const field in left) {
    if (leftOut.has(field)) continue;
    if (!Object.hasOwn(right, field) || !isSame(left[field], right[field])) return false;
  }
  return true;
}

/** Whether two values are the same plain JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  return isRecord(a) && isRecord(b) && isSameBut(nothing, a, b);
}

/**
 * Whether an API server would store two values alike. It sorts the fields of a status and drops those that are undefined, so
 * what a controller derives has another order than what it reads.
 */
export function isStoredAlike(a: unknown, b: unknown): boolean {
  return isSame(stored(a), stored(b));
}

function stored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
