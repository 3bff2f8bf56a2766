/**
 * The lists of built-in kinds that are merged by key, by the name of their field. A list that is missing here is
 * compared as a whole: what another manager adds to it costs one write that changes nothing.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  imagePullSecrets: ['name'],
  ports: ['containerPort', 'port', 'protocol'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  hostAliases: ['ip'],
  ownerReferences: ['uid'],
  conditions: ['type'],
};

/** The value of a merge key. One that is not stated takes the server's default, of which `TCP` is the only one there is. */
export function keyValue(item: Readonly<Record<string, unknown>>, key: string): unknown {
  return item[key] ?? (key === 'protocol' ? 'TCP' : undefined);
}

/** By what items of a list of this field are merged; undefined where the list counts as a whole. */
export function keysOf(field: string, items: readonly unknown[]): readonly string[] | undefined {
  return Object.hasOwn(mergeKeys, field) && items.every(isRecord) ? mergeKeys[field] : undefined;
}

/** Up to so many items a list is looked through for each of them; to name them all takes longer. */
const short = 16;

/** Finds in a list, however long, the items that merge with others. */
export class Twins {
  readonly #places = new Map<string, number>();
  #named = 0;

  /**
   * @param list may grow while it is looked through
   * @param keys by which items are merged
   */
  constructor(
    readonly list: readonly unknown[],
    readonly keys: readonly string[],
  ) {}

  /** Where the item is that merges with this one, the first of several; -1 for none. */
  indexOf(item: unknown): number {
    const { list, keys } = this;
    if (!isRecord(item)) return -1;
    if (list.length <= short) return list.findIndex((other) => isRecord(other) && isTwin(other, item, keys));
    for (; this.#named < list.length; this.#named++) {
      const step = itemStep(list[this.#named], keys);
      if (!this.#places.has(step)) this.#places.set(step, this.#named);
    }
    return this.#places.get(itemStep(item, keys)) ?? -1;
  }
}

function isTwin(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): boolean {
  return keys.every((key) => keyValue(one, key) === keyValue(other, key));
}

/** What managed fields call the item of a list that is merged by these keys. */
export function itemStep(item: unknown, keys: readonly string[]): string {
  const named = keys.map((key) => [key, isRecord(item) ? keyValue(item, key) : undefined]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`; // what is undefined does not travel
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
