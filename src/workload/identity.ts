/** The name, namespace and labels of a workload: the same for its Deployment, its Service and its other objects. */
export interface Identity {
  readonly name: string;
  /** Undefined if the namespace is chosen when the objects are applied. */
  readonly namespace: string | undefined;
  /**
   * The labels of every object and the selector of the Pods. They never change, because the selector of a Deployment is
   * immutable.
   */
  readonly labels: Readonly<Record<string, string>>;
}

/** The metadata of an object of a workload. The name defaults to the name of the workload. */
export function metadataOf({ name, namespace, labels }: Identity, objectName = name): Identity {
  return { name: objectName, namespace, labels };
}
