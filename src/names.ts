import { createHash } from 'node:crypto';

/** What every kind of object accepts as its name, a Service too: an RFC 1035 label. */
const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** How a name ends that carries a hash. An owner called so gets a hash as well: no owner can pose as another's child. */
const marked = /-x[0-9a-f]{12}$/;

const longest = 63;
const shortest = 45;
const longestSuffix = 26;

/**
 * The name of an object that belongs to a resource: the resource's own name where that is an RFC 1035 label, else a
 * shortened form that ends in a hash of the whole. With a suffix there is always a hash: `reco-trial-x0123456789ab`.
 *
 * For any two different pairs of owner and suffix the names differ, but for an accident of 48 bits; and each is valid
 * for every kind, however long the owner's name is and whatever is in it. Kubernetes makes longer names of some: of a
 * CronJob's and of a StatefulSet's, which may have 52 characters.
 *
 * @param suffix tells several objects of one kind and one owner apart: a label of at most 26 characters
 * @param most characters, from 45 to 63. @default 63
 * @throws {Error} when the suffix is not such a label, or `most` not such a number
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export function childName(owner: string, suffix?: string, most: number = longest): string {
  if (!Number.isInteger(most) || most < shortest || most > longest) {
    throw new Error(`a name has at most ${shortest} to ${longest} characters, got ${most}`);
  }
  if (suffix === undefined && owner.length <= most && label.test(owner) && !marked.test(owner)) return owner;
  if (suffix !== undefined && !(label.test(suffix) && suffix.length <= longestSuffix)) {
    throw new Error(
      `a suffix is a lower-case label of at most ${longestSuffix} characters, got ${JSON.stringify(suffix)}`,
    );
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([owner, suffix]))
    .digest('hex');
  const tail = `${suffix === undefined ? '' : `-${suffix}`}-x${hash.slice(0, 12)}`;
  return `${stem(owner, most - tail.length)}${tail}`;
}

/**
 * The name of a side of a resource, as people expect it: `reco-trial` of `reco`. Where that is no label, or could be
 * taken for a name with a hash, it is {@link childName}'s. Unlike that, it may be the name of another resource too.
 */
export function suffixedName(owner: string, side: string): string {
  const plain = `${owner}-${side}`;
  return childName(owner) === owner && label.test(plain) ? plain : childName(owner, side);
}

/** What is readable of a name: a label of at most `length` characters. */
function stem(name: string, length: number): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words
    .replace(/^-?(?=[^a-z]|$)/, 'n')
    .replace(/^-/, '')
    .slice(0, length)
    .replace(/-+$/, '');
}
