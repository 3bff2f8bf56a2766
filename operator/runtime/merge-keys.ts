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

/** Where in a list the item is that merges with this one; -1 for none. */
export function indexOfTwin(list: readonly unknown[], item: unknown, keys: readonly string[]): number {
  if (!isRecord(item)) return -1;
  return list.findIndex(
    (other) => isRecord(other) && keys.every((key) => keyValue(other, key) === keyValue(item, key)),
  );
}

/** What managed fields call the item of a list that is merged by these keys. */
export function itemStep(item: unknown, keys: readonly string[]): string {
  const named = keys.map((key) => [key, isRecord(item) ? keyValue(item, key) : undefined]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`; // what is undefined does not travel
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
