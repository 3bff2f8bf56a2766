import type { LiveObject } from '../runtime/kubernetes/object.js';

const managedFieldsList = '"managedFields":[';
/** The first of these ends the list: it has no list in itself, and what stands in a text breaks what is left of it. */
const endOfList = '}]';
const manager = '"manager":';

/**
 * What JSON of the API server says, without who manages which field: half of what it writes of an object, of objects that
 * are alike in nothing, which are the slowest to read. Who created or updated it stays, since the caches keep if we did.
 * @param objectIn the one that it is of: where anything else is called `managedFields`, all of it is read
 */
export function parseWithoutManagedFields<T>(json: string, objectIn: (value: T) => LiveObject): T {
  const start = json.indexOf(managedFieldsList) + managedFieldsList.length;
  const isOne = start >= managedFieldsList.length && json[start] === '{' && json.indexOf(managedFieldsList, start) < 0;
  const last = isOne ? json.indexOf(endOfList, start) : -1;
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

const beginning = '{"type":"DELETED","object":{';
/**
 * What comes after the metadata of an object. In a text such quotes are escaped, and after what ends in a brace neither
 * metadata nor managed fields have these names.
 */
const afterMetadata = /\},"(?:spec|status|data|immutable|rules|subjects|roleRef)":/;
/** The last of the metadata of a built-in kind, which names its fields in the order of its definition. */
const managedFields = ',"managedFields":[';
const isBuiltIn = /^\{"kind":/;

/**
 * The object whose end an event of a watch tells, without what nobody asks of one that is gone: all but what it is, and
 * its metadata, less who managed which of its fields: every deletion of a resource tells of all that it had.
 *
 * @returns undefined of another event, and of a text that is not written as the API server writes: all of it is to be read
 */
export function deletedObject(line: string): LiveObject | undefined {
  if (!line.startsWith(beginning)) return undefined;
  const text = line.slice(beginning.length - 1);
  const managed = isBuiltIn.test(text) ? text.indexOf(managedFields) : -1;
  const end = managed < 0 ? text.search(afterMetadata) : managed;
  return end < 0 ? undefined : parsedObject(`${text.slice(0, end)}}}`);
}

function parsedObject(text: string): LiveObject | undefined {
  try {
    const object = JSON.parse(text) as LiveObject;
    const { name, uid, resourceVersion } = object.metadata;
    return name && uid && resourceVersion ? object : undefined;
  } catch {
    return undefined;
  }
}

const versionField = '"resourceVersion":"';

/**
 * The version of an object in its JSON as the API server writes it, found without parsing the rest; undefined where it
 * stands there more than once, so that nobody can state another one, by an annotation of that name for example.
 */
export function resourceVersionIn(json: string): string | undefined {
  const at = json.indexOf(versionField);
  if (at < 0 || json.indexOf(versionField, at + versionField.length) >= 0) return undefined;
  const from = at + versionField.length;
  return json.slice(from, json.indexOf('"', from));
}
