import { isRecord, pointerToken } from '../kubernetes/json.js';
import { isEmpty } from './contains.js';

/**
 * JSON pointers to the parts of a record beyond what is stated. An apply removes only fields that it stated itself
 * before. Lists count as a whole.
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

/** The content of a record. An empty record in it counts as absent. */
export function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutEmpty(one)]));
}
