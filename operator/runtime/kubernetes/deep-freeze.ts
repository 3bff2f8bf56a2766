import { isSame } from './equality.js';
import { isRecord } from './json.js';

/** Levels. Deeper JSON would overflow the stack of the code that walks it. */
const deepest = 1_024;

/** Thrown for JSON that is nested deeper than the runtime walks. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError';

  /** @param what the owner of the JSON, for the message */
  constructor(what = 'its JSON') {
    super(`${what} is nested deeper than the ${deepest} levels that the operator reads: make it flatter`);
  }
}

/**
 * Freezes plain JSON with everything in it, and reuses all parts of the earlier value that are still the same, however
 * deep. Copies of those parts die young, which costs the garbage collector almost nothing. They are not frozen, which
 * would cost more than comparing them.
 * @param now is changed, except its frozen parts
 * @returns `before` itself if nothing differs
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
