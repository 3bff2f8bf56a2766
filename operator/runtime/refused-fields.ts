import { covers } from './covers.js';
import { isRecord } from './merge-keys.js';
import type { LiveObject, Manifest } from './object.js';

/**
 * An object without the fields that the API server refuses beside what is wanted of it, as the `rollingUpdate` of a strategy
 * that becomes `Recreate`, or a `valueFrom` that somebody put in the place of a `value`.
 *
 * @param whole the object with what is wanted of it
 * @param fields as a refusal names them: `spec.strategy.rollingUpdate`, `spec.containers[0].env[1].valueFrom`
 * @returns undefined where nothing can be left out, or something that is wanted would be
 */
export function withoutRefused(whole: LiveObject, wish: Manifest, fields: readonly string[]): LiveObject | undefined {
  const rest = structuredClone(whole);
  const gone = fields.map(stepsOf).filter((steps) => isPart(steps) && leftOut(rest, steps));
  return gone.length > 0 && covers(rest, wish) ? rest : undefined;
}

/** Of what the object states: neither its metadata, nor all of its `spec` or `data`. */
function isPart(steps: readonly string[]): boolean {
  return steps.length > 1 && steps[0] !== 'metadata';
}

/** Names, and the numbers of items. */
function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) => inBrackets ?? step);
}

function leftOut(object: LiveObject, steps: readonly string[]): boolean {
  const [last = '', ...above] = steps.toReversed();
  let holder: unknown = object;
  for (const step of above.toReversed()) {
    const isThere = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step);
    holder = isThere ? (holder as Record<string, unknown>)[step] : undefined;
  }
  return isRecord(holder) && Object.hasOwn(holder, last) && Reflect.deleteProperty(holder, last);
}
