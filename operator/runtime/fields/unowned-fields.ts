import { isRecord, pointerToken } from '../kubernetes/json.js';
import { isEmpty } from './contains.js';

/**
 * JSON pointers to what a record says beyond what is stated: an apply that states less takes away only what it stated itself
 * before. Lists are whole.
 */
export function unownedFields(live: unknown, stated: unknown, at: string): readonly string[] {
  if (!isRecord(live) || !isRecord(stated)) return [];
  return Object.entries(live).flatMap(([key, value]) => {
    const path = `${at}/${pointerToken(key)}`;
    const wanted = Object.hasOwn(stated, key) ? stated[key] : undefined;
    if (wanted !== undefined) return unownedFields(value, wanted, path);
    return isEmpty(value) ? [] : [path];
  });
}

/** What a record says: an empty one in it says as little as none. */
export function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutEmpty(one)]));
}
