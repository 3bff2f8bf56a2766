import type { LiveObject } from '../runtime/object.js';

const field = '"managedFields":[';
/** The first of these ends the list: it has no list in itself, and what stands in a text breaks what is left of it. */
const end = '}]';
const manager = '"manager":';

/**
 * What JSON of the API server says, without who manages which field: half of what it writes of an object, of objects that
 * are alike in nothing, which are the slowest to read. Who created or updated it stays, since the caches keep if we did.
 * @param objectIn the one that it is of: where anything else is called `managedFields`, all of it is read
 */
export function parseUnmanaged<T>(json: string, objectIn: (value: T) => LiveObject): T {
  const start = json.indexOf(field) + field.length;
  const isOne = start >= field.length && json[start] === '{' && json.indexOf(field, start) < 0;
  const last = isOne ? json.indexOf(end, start) : -1;
  if (last < 0) return JSON.parse(json) as T;
  const value = parsed<T>(json.slice(0, start) + updatesIn(json.slice(start, last)) + json.slice(last + 1));
  return value !== undefined && isManaged(objectIn(value)) ? value : (JSON.parse(json) as T);
}

/** The entries of creates and updates of the object itself, with no more than whose they are. */
function updatesIn(entries: string): string {
  return entries
    .split(manager)
    .filter((entry) => entry.includes('"operation":"Update"') && !entry.includes('"subresource":'))
    .map((entry) => `{${manager}${entry.slice(0, entry.indexOf('"', 1) + 1)},"operation":"Update"}`)
    .join();
}

/** Of anything: an answer need not be what was asked for. */
function isManaged(object: { readonly metadata?: unknown } | null | undefined): boolean {
  const { metadata } = object ?? {};
  return typeof metadata === 'object' && metadata !== null && 'managedFields' in metadata;
}

function parsed<T>(json: string): T | undefined {
  try {
    return JSON.parse(json) as T;
  } catch {
    return undefined;
  }
}
