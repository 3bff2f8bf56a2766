import type { ObjectSchema } from './object.js';
import type { Rule } from './rule.js';
import type { Schema } from './schema.js';

/** A kind of resource and all its versions: the single definition of its API. */
export interface KindDefinition<Versions extends readonly VersionDefinition[] = readonly VersionDefinition[]> {
  /** The API group, such as `ai.example.com`. */
  readonly group: string;
  /** The kind in CamelCase, such as `Algorithm`. */
  readonly kind: string;
  /** The plural name. @default the singular and an s */
  readonly plural?: string;
  /** The singular name. @default the kind in lower case */
  readonly singular?: string;
  /** Short names for kubectl. */
  readonly shortNames?: readonly string[];
  /** Categories for kubectl. With `all`, `kubectl get all` lists the kind. */
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: Versions;
}

/** One version of a kind. */
export interface VersionDefinition {
  /** The name, such as `v1` or `v1beta2`. */
  readonly name: string;
  /** Whether the API server serves the version. */
  readonly served: boolean;
  /** Whether resources are stored in this version. It must be true for exactly one version. */
  readonly storage: boolean;
  /** The warning for clients that use the version. Its presence marks the version as deprecated. */
  readonly deprecated?: string;
  /** The purpose of the resource, in one or two sentences. */
  readonly description: string;
  /** Limits of `metadata.name`, in addition to those of Kubernetes. */
  readonly metadataName?: Schema<string, string, 'required'>;
  readonly spec: ObjectSchema;
  /** The schema of the status. With it, the kind has a status subresource. */
  readonly status?: ObjectSchema;
  /** The paths that `kubectl scale` and autoscalers use. */
  readonly scale?: Scale;
  /** The columns of `kubectl get`. */
  readonly columns?: readonly Column[];
  /** Rules for the whole resource. They can read `self.metadata.name`, `self.spec` and `self.status`. */
  readonly rules?: readonly Rule[];
}

/** The scale subresource. */
export interface Scale {
  /** The path of the desired replicas, such as `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** The path of the observed replicas, such as `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** The path of a label selector in text form, such as `.status.selector`. A HorizontalPodAutoscaler needs it. */
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  readonly jsonPath: string;
  readonly description?: string;
  /** The priority: 0 shows the column always, 1 only with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** A checked kind with all its names. */
export interface Kind<Versions extends readonly VersionDefinition[] = readonly VersionDefinition[]>
  extends KindDefinition<Versions> {
  readonly plural: string;
  readonly singular: string;
  /** The name of the CustomResourceDefinition. */
  readonly name: string;
}
