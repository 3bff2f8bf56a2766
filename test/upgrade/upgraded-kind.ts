/** A resource that is upgraded. */
export interface UpgradedResource {
  /** As kubectl names it, such as `kcl/events`. */
  readonly resource: string;
  /** False for a cluster-scoped resource. @default true */
  readonly isNamespaced?: boolean;
}

/** Resources of one system in their smallest form, in a namespace of their own. */
export interface UpgradedKind {
  /** The controllers that must have reconciled them after the upgrade. */
  readonly controllers: readonly string[];
  /** The objects that a user applies. Their namespace is set, unless they are cluster-scoped. */
  readonly objects: (namespace: string) => Promise<readonly object[]> | readonly object[];
  readonly resources: (namespace: string) => readonly UpgradedResource[];
  /** Further fields of the status that must be so. @default - `Ready` is enough */
  readonly isReady?: (resource: string, status: Readonly<Record<string, unknown>>) => boolean;
}

const apiVersion = 'reconstruct.dev/v1alpha1';

/** A resource of this package, except Algorithms. */
export function resource(kind: string, metadata: { readonly name: string; readonly namespace?: string }, spec: object) {
  return { apiVersion, kind, metadata, spec };
}
