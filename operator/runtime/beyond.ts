import { isEmpty } from './covers.js';
import { token } from './json-pointer.js';
import { isRecord } from './merge-keys.js';

/**
 * JSON pointers to what a record says beyond what is stated: an apply that states less takes away only what it stated itself
 * before. Lists are whole.
 */
export function beyond(live: unknown, stated: unknown, at: string): readonly string[] {
  if (!isRecord(live) || !isRecord(stated)) return [];
  return Object.entries(live).flatMap(([key, value]) => {
    const path = `${at}/${token(key)}`;
    const wanted = Object.hasOwn(stated, key) ? stated[key] : undefined;
    if (wanted !== undefined) return beyond(value, wanted, path);
    return isEmpty(value) ? [] : [path];
  });
}

/** What a record says: an empty one in it says as little as none. */
export function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutEmpty(one)]));
}
