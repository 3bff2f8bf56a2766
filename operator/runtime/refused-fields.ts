import { covers } from './covers.js';
import { isRecord } from './merge-keys.js';
import type { LiveObject, Manifest } from './object.js';

/** Fields that are looked at: a server may refuse thousands, of an object that somebody made large. */
const most = 100;

/**
 * An object without the fields that the API server refuses beside what is wanted of it, as the `rollingUpdate` of a strategy
 * that becomes `Recreate`, or a `valueFrom` that somebody put in the place of a `value`.
 *
 * A field that is wanted stays, though it is refused too: it may be for another's sake, as the mount of a volume that is two
 * kinds at once. Where none but such are refused, what stands beside them goes, as an `exec` beside a wanted `httpGet`.
 *
 * @param whole the object with what is wanted of it
 * @param fields as a refusal names them: `spec.strategy.rollingUpdate`, `spec.containers[0].env[1].valueFrom`
 * @returns undefined where nothing can be left out
 */
export function withoutRefused(whole: LiveObject, wish: Manifest, fields: readonly string[]): LiveObject | undefined {
  const rest = structuredClone(whole);
  const isAnyLeftOut = (some: readonly (readonly string[])[]) =>
    some.slice(0, most).filter((steps) => isPart(steps) && leaveOut(rest, steps, () => covers(rest, wish))).length > 0;
  const refused = fields.slice(0, most).map(stepsOf);
  return isAnyLeftOut(refused) || isAnyLeftOut(refused.flatMap((steps) => besides(rest, steps))) ? rest : undefined;
}

/** Of what the object states: neither its metadata, nor all of its `spec` or `data`. */
function isPart(steps: readonly string[]): boolean {
  return steps.length > 1 && steps[0] !== 'metadata';
}

/** Names, and the numbers of items. */
function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) => inBrackets ?? step);
}

/** What a union has beside one of its members: of a handler or a volume another record, of a variable its value. */
function besides(object: LiveObject, steps: readonly string[]): string[][] {
  const above = steps.slice(0, -1);
  const holder = heldAt(object, above);
  if (!isRecord(holder)) return [];
  const others = Object.keys(holder).filter((key) => key !== steps.at(-1));
  const records = others.filter((key) => isRecord(holder[key]));
  return (records.length > 0 ? records : others).map((key) => [...above, key]);
}

/** @returns false where there is no such field, or it had to be put back */
function leaveOut(object: LiveObject, steps: readonly string[], isAllowed: () => boolean): boolean {
  const last = steps.at(-1) ?? '';
  const holder = heldAt(object, steps.slice(0, -1));
  const was = isRecord(holder) && Object.getOwnPropertyDescriptor(holder, last);
  if (!was) return false;
  Reflect.deleteProperty(holder as object, last);
  if (isAllowed()) return true;
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
