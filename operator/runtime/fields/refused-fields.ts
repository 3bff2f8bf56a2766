import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { contains } from './contains.js';

/** The number of fields that are checked. A server may reject thousands of fields of a large object. */
const most = 100;

/**
 * An object without the fields that the API server rejects next to the desired ones: for example, the `rollingUpdate`
 * of a strategy that becomes `Recreate`, or a `valueFrom` that another manager put in the place of a `value`.
 *
 * A desired field stays even if it is rejected too, because another field may be the cause: for example, the mount of a
 * volume that is two kinds at once. If only desired fields are rejected, the other members of their union are removed:
 * for example, an `exec` next to a desired `httpGet`.
 *
 * @param whole the object with its desired values
 * @param fields as a rejection names them: `spec.strategy.rollingUpdate`, `spec.containers[0].env[1].valueFrom`
 * @returns undefined if nothing can be left out
 */
export function withoutRefused(whole: LiveObject, wish: Manifest, fields: readonly string[]): LiveObject | undefined {
  const rest = structuredClone(whole);
  const isAsWanted = () => contains(rest, wish);
  const leaveOutAll = (some: readonly (readonly string[])[]) =>
    some.filter((steps) => isPart(steps) && leaveOut(rest, steps, isAsWanted)).length > 0;
  const refused = fields.slice(0, most).map(stepsOf);
  const others = () => refused.flatMap((steps) => otherMembers(rest, steps)).slice(0, most);
  return leaveOutAll(refused) || leaveOutAll(others()) ? rest : undefined;
}

/** True for a part of the content: neither metadata nor the whole `spec` or `data`. */
function isPart(steps: readonly string[]): boolean {
  return steps.length > 1 && steps[0] !== 'metadata';
}

/** Names of fields and indexes of items. */
function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) => inBrackets ?? step);
}

/** A probe or a hook has one of these. */
const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

/**
 * The other members of a union of which one is rejected. Nothing else is removed: a value that is rejected next to a
 * desired field may be intended, such as limits that another manager added to requests, and is reported.
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#envvar-v1-core and `Probe`, `Volume` there
 */
function otherMembers(object: LiveObject, steps: readonly string[]): string[][] {
  const above = steps.slice(0, -1);
  const last = steps.at(-1) ?? '';
  const named = (keys: readonly string[]) => keys.filter((key) => key !== last).map((key) => [...above, key]);
  if (handlers.includes(last)) return named(handlers);
  if (last === 'valueFrom') return [[...above, 'value'], ...keysAt(object, steps).map((key) => [...steps, key])];
  if (above.at(-2) === 'volumes') return named(keysAt(object, above));
  return [];
}

function keysAt(object: LiveObject, steps: readonly string[]): string[] {
  return Object.keys(heldAt(object, steps) ?? {});
}

/** @returns false if the field does not exist or had to be restored */
function leaveOut(object: LiveObject, steps: readonly string[], isAsWanted: () => boolean): boolean {
  const last = steps.at(-1) ?? '';
  const holder = heldAt(object, steps.slice(0, -1));
  const was = isRecord(holder) && Object.getOwnPropertyDescriptor(holder, last);
  if (!was) return false;
  Reflect.deleteProperty(holder as object, last);
  if (isAsWanted()) return true;
  Object.defineProperty(holder, last, was);
  return false;
}

function heldAt(object: LiveObject, steps: readonly string[]): unknown {
  let holder: unknown = object;
  for (const step of steps) {
    const isThere = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step);
    holder = isThere ? (holder as Record<string, unknown>)[step] : undefined;
  }
  return holder;
}
