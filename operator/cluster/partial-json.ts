import { type FieldWriter, noteWriter } from '../runtime/kubernetes/last-writer.js';
import type { LiveObject } from '../runtime/kubernetes/object.js';

const managedFieldsList = '"managedFields":[';
/**
 * The first of these ends the list. It contains no list itself, and if it is inside a string, the rest is not valid
 * JSON.
 */
const endOfList = '}]';
const manager = '"manager":';

/**
 * Parses JSON of the API server without managed fields, which are half of an object and its slowest part to parse. The
 * managers of creates and updates stay, because the caches record whether one of them is this process, and the last writer of
 * the object is noted.
 * @param objectIn returns the object. If another field is named `managedFields`, everything is parsed
 */
export function parseWithoutManagedFields<T>(json: string, objectIn: (value: T) => LiveObject): T {
  const start = json.indexOf(managedFieldsList) + managedFieldsList.length;
  const isOne = start >= managedFieldsList.length && json[start] === '{' && json.indexOf(managedFieldsList, start) < 0;
  const last = isOne ? json.indexOf(endOfList, start) : -1;
  if (last < 0) return JSON.parse(json) as T;
  const value = parsed<T>(json.slice(0, start) + updatesIn(json.slice(start, last)) + json.slice(last + 1));
  if (value === undefined || !isManaged(objectIn(value))) return JSON.parse(json) as T;
  noteWriter(objectIn(value), writersIn(json.slice(start, last)));
  return value;
}

/** The entries of creates and updates of the object itself, reduced to their managers. */
function updatesIn(entries: string): string {
  return entries
    .split(manager)
    .filter((entry) => entry.includes('"operation":"Update"') && !entry.includes('"subresource":'))
    .map((entry) => `{${manager}${entry.slice(0, entry.indexOf('"', 1) + 1)},"operation":"Update"}`)
    .join();
}

const time = '"time":"';
const status = '"subresource":"status"';
/** Characters of a time: RFC 3339, whole seconds. */
const longestTime = 20;

/** Who wrote the object itself, and when. An entry has its time near its manager, before the fields of the next entry. */
function writersIn(entries: string): readonly FieldWriter[] {
  const [, ...writers] = entries.split(manager);
  return writers.flatMap((entry) => {
    const at = entry.indexOf(time);
    if (at < 0 || entry.includes(status)) return [];
    const from = at + time.length;
    return [{ manager: entry.slice(1, entry.indexOf('"', 1)), time: entry.slice(from, from + longestTime) }];
  });
}

/** Accepts anything, because a response need not be what was requested. */
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
 * The text after the metadata of an object. In a string such quotes are escaped, and neither metadata nor managed
 * fields have these names after a closing brace.
 */
const afterMetadata = /\},"(?:spec|status|data|immutable|rules|subjects|roleRef)":/;
/**
 * The last field of the metadata of a built-in kind, because the server writes fields in the order of their definition.
 */
const managedFields = ',"managedFields":[';
const isBuiltIn = /^\{"kind":/;

/**
 * The object of a DELETED event, reduced to its kind and its metadata without managed fields. The rest of a deleted
 * object is not needed, and every deletion of a resource reports all of its objects.
 *
 * @returns undefined for another event, and for text in another format than the API server's. It must then be parsed
 * completely
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
 * The version of an object in JSON of the API server, found without parsing the rest. Undefined if it appears more than
 * once, so that no user can forge it, for example by an annotation of that name.
 */
export function resourceVersionIn(json: string): string | undefined {
  const at = json.indexOf(versionField);
  if (at < 0 || json.indexOf(versionField, at + versionField.length) >= 0) return undefined;
  const from = at + versionField.length;
  return json.slice(from, json.indexOf('"', from));
}
