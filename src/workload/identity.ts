/** What a workload is called and found by: the same on its Deployment, its Service and whatever else belongs to it. */
export interface Identity {
  readonly name: string;
  /** Undefined where whoever applies the objects decides. */
  readonly namespace: string | undefined;
  /** On every object, and what selects the pods. They never change: a Deployment's selector is immutable. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The metadata of a workload's object, by default of the workload's own name. */
export function metadataOf({ name, namespace, labels }: Identity, objectName = name): Identity {
  return { name: objectName, namespace, labels };
}
