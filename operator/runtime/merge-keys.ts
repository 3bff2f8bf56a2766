/**
 * The lists of built-in kinds that are merged by key, by the name of their field. A list that is missing here is
 * compared as a whole: what another manager adds to it costs one write that changes nothing.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export const mergeKeys: Readonly<Record<string, readonly string[]>> = {
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
