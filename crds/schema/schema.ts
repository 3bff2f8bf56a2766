import { type Definition, defined, definition, type JsonSchema } from './json.js';
import { jsonRules, type Rule } from './rule.js';

declare const shapes: unique symbol;

/** Whether a field is required, gets its default if it is absent, or stays absent. */
export type Presence = 'required' | 'defaulted' | 'optional';

/** The schema of a field: its JSON schema in the CRD, and the types of its value before and after the API server. */
export interface Schema<Input = unknown, Stored = unknown, P extends Presence = Presence> {
  readonly json: JsonSchema;
  readonly presence: P;
  /** Never set. It only carries the types. */
  readonly [shapes]?: { readonly input: Input; readonly stored: Stored };
}

/** The type that a user can write. Fields with a default are optional. */
export type InputOf<S> = S extends Schema<infer Input, unknown> ? Input : never;

/** The type that the API server stores. Fields with a default are always present. */
export type StoredOf<S> = S extends Schema<unknown, infer Stored> ? Stored : never;

/** The options of every field. A field is required unless it has a default or is `optional`. */
export interface FieldOptions<Default, Optional, Nullable> {
  /** The value that the API server stores if the field is absent. */
  readonly default?: Default;
  /** Whether the field can stay absent. */
  readonly optional?: Optional;
  /** Whether the field can be null. */
  readonly nullable?: Nullable;
  /** CEL rules for the value. */
  readonly rules?: readonly Rule[];
}

/** The presence that follows from the options of a field. */
export type PresenceOf<Default, Optional> = undefined extends Default
  ? Optional extends true
    ? 'optional'
    : 'required'
  : 'defaulted';

/** The schema that follows from the types and options of a field. */
export type FieldSchema<Input, Stored, Default, Optional, Nullable> = Schema<
  Nullable extends true ? Input | null : Input,
  Nullable extends true ? Stored | null : Stored,
  PresenceOf<Default, Optional>
>;

/** Combines the keywords of a field with those that every field can have. */
export function field<Input, Stored, D, O, N>(
  description: string,
  own: JsonSchema,
  { default: byDefault, optional, nullable, rules }: FieldOptions<D, O, N>,
): FieldSchema<Input, Stored, D, O, N> {
  const json = defined({
    description,
    ...own,
    nullable: nullable === true ? true : undefined,
    default: byDefault,
    'x-kubernetes-validations': jsonRules(rules),
  }) as JsonSchema;
  const presence = byDefault !== undefined ? 'defaulted' : optional === true ? 'optional' : 'required';
  return { json, presence: presence as PresenceOf<D, O> };
}

/**
 * Marks a schema as a use of a definition. A use can lack fields of the definition, and have further rules, fields and
 * another description of its own.
 */
export function named<S extends Schema>(of: Definition, schema: S): S {
  return { ...schema, json: { ...schema.json, [definition]: of } };
}
