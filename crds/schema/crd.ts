import { defined, definition, type JsonSchema } from './json.js';
import type { Column, Kind, VersionDefinition } from './kind.js';
import { jsonRules } from './rule.js';

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) as plain JSON. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: CustomResourceNames;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CustomResourceVersion[];
  };
}

/** Names of a kind in a CustomResourceDefinition. */
export interface CustomResourceNames {
  readonly kind: string;
  readonly listKind?: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** One version in a CustomResourceDefinition. */
export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly additionalPrinterColumns?: readonly Column[];
}

/**
 * The CustomResourceDefinition of a kind. It contains neither null nor undefined. Fields that a page describes for all kinds
 * have no description in it.
 */
export function toCustomResourceDefinition(kind: Kind): CustomResourceDefinition {
  const { spec, ...crd } = documentedDefinition(kind);
  const versions = spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: concise(version.schema.openAPIV3Schema) },
  }));
  return { ...crd, spec: { ...spec, versions } };
}

/** The CustomResourceDefinition of a kind with all descriptions and marks of definitions, for generators. */
export function documentedDefinition(kind: Kind): CustomResourceDefinition {
  const { plural, singular, shortNames, categories } = kind;
  const names = { kind: kind.kind, listKind: `${kind.kind}List`, plural, singular, shortNames, categories };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: kind.name },
    spec: {
      group: kind.group,
      names: defined(names) as CustomResourceNames,
      scope: kind.scope,
      versions: kind.versions.map(crdVersion),
    },
  };
}

function crdVersion(version: VersionDefinition): CustomResourceVersion {
  const { name, served, storage, deprecated, status, scale, columns } = version;
  const subresources = defined({ status: status && {}, scale });
  return defined({
    name,
    served,
    storage,
    deprecated: deprecated === undefined ? undefined : true,
    deprecationWarning: deprecated,
    schema: { openAPIV3Schema: versionSchema(version) },
    subresources: Object.keys(subresources).length > 0 ? subresources : undefined,
    additionalPrinterColumns: columns?.map((column) => defined({ ...column })),
  }) as CustomResourceVersion;
}

/** The schema for a CRD, without marks. The page of a definition replaces the descriptions of the fields below it. */
function concise(schema: JsonSchema, isOnPage = false): JsonSchema {
  const { page } = schema[definition] ?? {};
  const below = (member: JsonSchema) => concise(member, isOnPage || page !== undefined);
  const { description, properties, additionalProperties, items } = schema;
  const changed: JsonSchema = {
    description: page ? `${description} The page docs/reference/${page.file} describes the fields.` : description,
    properties: properties && Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, below(one)])),
    additionalProperties: additionalProperties && below(additionalProperties),
    items: items && below(items),
  };
  const keys = Object.keys(schema).filter((key) => !(isOnPage && key === 'description')) as (keyof typeof changed)[];
  return Object.fromEntries(keys.map((key) => [key, key in changed ? changed[key] : schema[key]]));
}

/** The schema of a whole resource in one version. */
export function versionSchema({ description, metadataName, spec, status, rules }: VersionDefinition): JsonSchema {
  return defined({
    description,
    type: 'object' as const,
    required: spec.presence === 'required' ? ['spec'] : undefined,
    properties: defined({
      apiVersion: { type: 'string', description: 'Group and version of the resource, such as `group/v1`.' } as const,
      kind: { type: 'string', description: 'Kind of the resource.' } as const,
      metadata: { type: 'object', ...(metadataName && { properties: { name: metadataName.json } }) } as JsonSchema,
      spec: spec.json,
      status: status?.json as JsonSchema,
    }),
    'x-kubernetes-validations': jsonRules(rules) as JsonSchema['x-kubernetes-validations'],
  }) as JsonSchema;
}
