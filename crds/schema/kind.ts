import type { ObjectSchema } from './object.js';
import type { Rule } from './rule.js';
import type { Schema } from './schema.js';

/** A kind of resource and all its versions: the one place where its API is written. */
export interface KindDefinition<Versions extends readonly VersionDefinition[] = readonly VersionDefinition[]> {
  /** The API group, as `ai.example.com`. */
  readonly group: string;
  /** The kind in CamelCase, as `Algorithm`. */
  readonly kind: string;
  /** @default the singular and an s */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  /** Short forms for kubectl. */
  readonly shortNames?: readonly string[];
  /** Names of groups of kinds for kubectl; `all` makes `kubectl get all` list it. */
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: Versions;
}

/** One version of a kind. */
export interface VersionDefinition {
  /** As `v1` or `v1beta2`. */
  readonly name: string;
  /** The API server answers requests for it. */
  readonly served: boolean;
  /** Resources are stored in it: exactly one version. */
  readonly storage: boolean;
  /** What clients that still use the version are told; its presence marks the version as deprecated. */
  readonly deprecated?: string;
  /** What the resource is for, in one or two sentences. */
  readonly description: string;
  /** Limits of `metadata.name`, beyond those of every name. */
  readonly metadataName?: Schema<string, string, 'required'>;
  readonly spec: ObjectSchema;
  /** With it there is a status subresource. */
  readonly status?: ObjectSchema;
  /** The paths through which `kubectl scale` and autoscalers work. */
  readonly scale?: Scale;
  /** What `kubectl get` shows. */
  readonly columns?: readonly Column[];
  /** Rules on the whole resource: they may read `self.metadata.name` beside `self.spec` and `self.status`. */
  readonly rules?: readonly Rule[];
}

/** The scale subresource. */
export interface Scale {
  /** As `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** As `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** The path of a label selector in text form, as `.status.selector`; a HorizontalPodAutoscaler needs it. */
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** A checked kind with all its names. */
export interface Kind<Versions extends readonly VersionDefinition[] = readonly VersionDefinition[]>
  extends KindDefinition<Versions> {
  readonly plural: string;
  readonly singular: string;
  /** The name of its CustomResourceDefinition. */
  readonly name: string;
}
