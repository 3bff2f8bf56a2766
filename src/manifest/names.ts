import { createHash } from 'node:crypto';

/** Names that every kind of object accepts, including a Service: RFC 1035 labels. */
const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The end of a name with a hash. An owner with such a name gets a hash too, so that no owner can pose as the child of
 * another.
 */
const marked = /-x[0-9a-f]{12}$/;

const longest = 63;
const shortest = 45;
const longestSuffix = 26;

/**
 * The name of an object that belongs to a resource. It is the name of the resource if that is an RFC 1035 label.
 * Otherwise it is a shortened form that ends with a hash of the whole name. With a suffix, it always has a hash, such
 * as `reco-trial-x0123456789ab`.
 *
 * Two different pairs of owner and suffix have different names, except for a collision of 48 bits. Each name is valid
 * for every kind, whatever the length and the characters of the name of the owner. Kubernetes derives longer names from
 * the names of a CronJob and of a StatefulSet, so these can have at most 52 characters.
 *
 * @param suffix distinguishes several objects of one kind and one owner: a label of at most 26 characters
 * @param most maximum number of characters, from 45 to 63. @default 63
 * @throws {Error} if the suffix is not such a label, or if `most` is not such a number
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export function childName(owner: string, suffix?: string, most: number = longest): string {
  if (!Number.isInteger(most) || most < shortest || most > longest) {
    throw new Error(
      `the maximum length of a name must be a whole number from ${shortest} to ${longest} characters, got ${most}`,
    );
  }
  if (suffix === undefined && owner.length <= most && label.test(owner) && !marked.test(owner)) return owner;
  if (suffix !== undefined && !(label.test(suffix) && suffix.length <= longestSuffix)) {
    throw new Error(
      `a suffix must be a lower-case label of at most ${longestSuffix} characters, got ${JSON.stringify(suffix)}`,
    );
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([owner, suffix]))
    .digest('hex');
  const tail = `${suffix === undefined ? '' : `-${suffix}`}-x${hash.slice(0, 12)}`;
  return `${stem(owner, most - tail.length)}${tail}`;
}

/**
 * The readable name of a side of a resource, such as `reco-trial` for `reco`. If that is not a label, or if it looks
 * like a name with a hash, the function returns the result of {@link childName}. Unlike that result, a readable name
 * can also be the name of another resource.
 */
export function suffixedName(owner: string, side: string): string {
  const plain = `${owner}-${side}`;
  return childName(owner) === owner && label.test(plain) ? plain : childName(owner, side);
}

/**
 * Why {@link childName} would change a name, and what to do. Undefined if it keeps the name.
 * @example nameProblem('My Model'); // Invalid value: "My Model": must be a lower-case RFC 1035 label …
 */
export function nameProblem(name: string): string | undefined {
  if (childName(name) === name) return undefined;
  const invalid = `Invalid value: ${JSON.stringify(name)}:`;
  return marked.test(name)
    ? `${invalid} must not end with -x and 12 hexadecimal digits, which mark a shortened name; set another name`
    : `${invalid} must be a lower-case RFC 1035 label of at most ${longest} characters, because it names a Service; set name to a label, such as ${JSON.stringify(stem(name, longest))}`;
}

/** The readable part of a name: a label of at most `length` characters. */
function stem(name: string, length: number): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words
    .replace(/^-?(?=[^a-z]|$)/, 'n')
    .replace(/^-/, '')
    .slice(0, length)
    .replace(/-+$/, '');
}
