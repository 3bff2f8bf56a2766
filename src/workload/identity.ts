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
  /** The tool that changes the objects after their creation, for their labels. @default 'reconstruct' */
  readonly managedBy?: string;
  /** The version of the software that the objects run, for their labels. @default - no label */
  readonly version?: string | undefined;
}

/** The metadata of an object of a workload. */
export interface WorkloadMeta {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The metadata of an object of a workload. The name defaults to the name of the workload. The labels are more than those
 * of the Pods: a version in a selector could not change, and a version in a Pod template would replace the Pods.
 */
export function metadataOf(identity: Identity, objectName = identity.name): WorkloadMeta {
  return { name: objectName, namespace: identity.namespace, labels: objectLabels(identity) };
}

/** The labels of an object of a workload that is no Pod. */
export function objectLabels(identity: Omit<Identity, 'namespace'>): WorkloadMeta['labels'] {
  const { labels, managedBy = 'reconstruct', version } = identity;
  const all = { ...labels, 'app.kubernetes.io/managed-by': managedBy };
  return version === undefined ? all : { ...all, 'app.kubernetes.io/version': version };
}

/**
 * The version that a label can state for an image: its tag.
 * @returns undefined without a tag, or with one that is no valid label
 */
export function imageVersion(image: string | undefined): string | undefined {
  const [, tag = ''] = /:([^:/]+)$/.exec((image ?? '').split('@')[0] ?? '') ?? [];
  return /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/.test(tag) ? tag : undefined;
}
