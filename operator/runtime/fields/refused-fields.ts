import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { contains } from './contains.js';

/** Fields that are looked at: a server may refuse thousands, of an object that somebody made large. */
const most = 100;

/**
 * An object without the fields that the API server refuses beside what is wanted of it, as the `rollingUpdate` of a strategy
 * that becomes `Recreate`, or a `valueFrom` that somebody put in the place of a `value`.
 *
 * A field that is wanted stays, though it is refused too: it may be for another's sake, as the mount of a volume that is two
 * kinds at once. Where none but such are refused, the other members of a union go, as an `exec` beside a wanted `httpGet`.
 *
 * @param whole the object with what is wanted of it
 * @param fields as a refusal names them: `spec.strategy.rollingUpdate`, `spec.containers[0].env[1].valueFrom`
 * @returns undefined where nothing can be left out
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

/** Of what the object states: neither its metadata, nor all of its `spec` or `data`. */
function isPart(steps: readonly string[]): boolean {
  return steps.length > 1 && steps[0] !== 'metadata';
}

/** Names, and the numbers of items. */
function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) => inBrackets ?? step);
}

/** Of which a probe or a hook has one. */
const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

/**
 * The other members of a union of which one is refused. Of nothing else: what is refused beside a wanted field may be meant, as
 * the limits that somebody gave to requests, and is told.
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

/** @returns false where there is no such field, or it had to be put back */
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
