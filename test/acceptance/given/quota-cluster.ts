/** A cluster with nodes and a running operator, whose namespaces can have quotas. */
export interface QuotaCluster {
  /** Runs kubectl, and returns its output. @param items a list that it reads. @throws {Error} with its standard error */
  readonly kubectl: (args: readonly string[], items?: readonly object[]) => Promise<string>;
  /** Creates a namespace in which each container must state all four amounts. @param cpu of all its Pods */
  readonly limited: (namespace: string, cpu: string) => Promise<void>;
  /** The names of the Pods, without the part that a ReplicaSet adds. */
  readonly podsIn: (namespace: string) => Promise<readonly string[]>;
}

/** Registers the tests of a system under quotas. */
export type UnderQuota = (cluster: QuotaCluster) => void;
