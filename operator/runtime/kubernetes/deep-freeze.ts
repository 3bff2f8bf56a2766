import { isSame } from './equality.js';
import { isRecord } from './json.js';

/** Levels: more would end the stack of whoever looks through it, in the middle of what is somebody else's. */
const deepest = 1_024;

/** Of JSON that is nested deeper than anybody here looks through. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError';

  /** @param what it is of */
  constructor(what = 'its JSON') {
    super(`${what} is nested deeper than the ${deepest} levels that the operator looks through: make it flatter`);
  }
}

/**
 * Plain JSON, frozen with all that is in it, which takes from what was there before whatever is still the same, however
 * deep: copies of that are thrown away while they are young, which costs the garbage collector next to nothing, and are
 * not frozen, which costs more than to compare them.
 * @param now is changed, but for what is frozen of it
 * @returns `before` itself where nothing differs
 * @throws {TooDeepError}
 */
export function deepFreeze<T>(now: T, before?: unknown, depth = 0): T {
  if (now === before || typeof now !== 'object' || now === null) return now;
  if (depth > deepest) throw new TooDeepError();
  if (Object.isFrozen(now)) return isSame(now, before) ? (before as T) : now;
  const isKept = Array.isArray(now) ? areItemsKept(now, before, depth + 1) : areFieldsKept(now, before, depth + 1);
  return isKept ? (before as T) : Object.freeze(now);
}

function areItemsKept(now: unknown[], before: unknown, depth: number): boolean {
  const there = Array.isArray(before) ? before : nothing;
  let isKept = there === before && now.length === there.length;
  for (let index = 0; index < now.length; index++) {
    now[index] = deepFreeze(now[index], there[index], depth);
    isKept &&= now[index] === there[index];
  }
  return isKept;
}

function areFieldsKept(object: object, before: unknown, depth: number): boolean {
  const now = object as Record<string, unknown>;
  const there = isRecord(before) ? before : undefined;
  let isKept = there !== undefined;
  let more = 0;
  for (const field in now) {
    more++;
    const then = there && Object.hasOwn(there, field) ? there[field] : undefined;
    const value = deepFreeze(now[field], then, depth);
    if (value !== now[field]) now[field] = value;
    isKept &&= value === then;
  }
  for (const _ in there) more--;
  return isKept && more === 0;
}

const nothing: readonly unknown[] = [];
