/** Any JSON value: the type of defaults and of stored values. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Marks a schema as a use of a {@link Definition}. A symbol, so that no CRD contains the mark. */
export const definition: unique symbol = Symbol('definition');

/** A schema that several kinds use, with a name. Its types and its reference page are generated once. */
export interface Definition {
  /** Name of its types, such as `PodTemplate`. */
  readonly name: string;
  /** The schema without what is special about a use. */
  readonly json: JsonSchema;
  /** The reference page. With it, only this page describes the fields: CRDs and the pages of kinds refer to it. */
  readonly page?: DefinitionPage;
}

/** The reference page of a {@link Definition}. */
export interface DefinitionPage {
  /** Name of the file in `docs/reference/`, such as `pod-template.md`. */
  readonly file: string;
  readonly title: string;
}

/** The part of OpenAPI v3 and of its Kubernetes extensions that a structural schema can use. */
export interface JsonSchema {
  readonly [definition]?: Definition;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly nullable?: true;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly JsonRule[];
}

/** A CEL rule in the form of a CRD. */
export interface JsonRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: true;
}

/** The object without its undefined members. A CRD contains neither null nor undefined. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/**
 * The schema of a member, if the object has it. Names such as `constructor` are members only if the schema declares
 * them.
 */
export function memberSchema({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}
