/** The module that declares the metadata of a resource, as the API server returns it. */
export const RESOURCE_METADATA = `/** The metadata of a resource as the API server returns it. */
export interface ResourceMetadata {
  readonly name: string;
  /** Absent on cluster-scoped resources. */
  readonly namespace?: string;
  readonly uid: string;
  /** Changes with every write; compare for equality only. */
  readonly resourceVersion: string;
  /** Changes with every write of the spec. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  /** When the resource was asked to go; it stays until its finalizers are gone. */
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** An object that another one belongs to, and goes with. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** The owner manages the object; at most one does. */
  readonly controller?: boolean;
  /** The owner is not deleted in the foreground before the object is. */
  readonly blockOwnerDeletion?: boolean;
}
`;
