import type { LiveObject } from '../runtime/object.js';

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
export function deletedIn(line: string): LiveObject | undefined {
  if (!line.startsWith(beginning)) return undefined;
  const text = line.slice(beginning.length - 1);
  const managed = isBuiltIn.test(text) ? text.indexOf(managedFields) : -1;
  const end = managed < 0 ? text.search(afterMetadata) : managed;
  return end < 0 ? undefined : parsed(`${text.slice(0, end)}}}`);
}

function parsed(text: string): LiveObject | undefined {
  try {
    const object = JSON.parse(text) as LiveObject;
    const { name, uid, resourceVersion } = object.metadata;
    return name && uid && resourceVersion ? object : undefined;
  } catch {
    return undefined;
  }
}
