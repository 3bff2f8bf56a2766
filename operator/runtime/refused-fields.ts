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
 * kinds at once.
 *
 * @param whole the object with what is wanted of it
 * @param fields as a refusal names them: `spec.strategy.rollingUpdate`, `spec.containers[0].env[1].valueFrom`
 * @returns undefined where nothing can be left out
 */
export function withoutRefused(whole: LiveObject, wish: Manifest, fields: readonly string[]): LiveObject | undefined {
  const rest = structuredClone(whole);
  const isLeftOut = (steps: readonly string[]) => isPart(steps) && leaveOut(rest, steps, () => covers(rest, wish));
  return fields.slice(0, most).map(stepsOf).filter(isLeftOut).length > 0 ? rest : undefined;
}

/** Of what the object states: neither its metadata, nor all of its `spec` or `data`. */
function isPart(steps: readonly string[]): boolean {
  return steps.length > 1 && steps[0] !== 'metadata';
}

/** Names, and the numbers of items. */
function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) => inBrackets ?? step);
}

/** @returns false where there is no such field, or it had to be put back */
function leaveOut(object: LiveObject, steps: readonly string[], isAllowed: () => boolean): boolean {
  const [last = '', ...above] = steps.toReversed();
  let holder: unknown = object;
  for (const step of above.toReversed()) {
    const isThere = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step);
    holder = isThere ? (holder as Record<string, unknown>)[step] : undefined;
  }
  const was = isRecord(holder) && Object.getOwnPropertyDescriptor(holder, last);
  if (!was) return false;
  Reflect.deleteProperty(holder as object, last);
  if (isAllowed()) return true;
  Object.defineProperty(holder, last, was);
  return false;
}
