import { defined, type JsonSchema } from './json.js';
import { jsonRules, type Rule } from './rule.js';

declare const shapes: unique symbol;

/** Whether a field must be written, may be left out and is then filled in, or may be left out and stays absent. */
export type Presence = 'required' | 'defaulted' | 'optional';

/** The schema of one field: what a CRD says about it, and the types of its value before and after the API server. */
export interface Schema<Input = unknown, Stored = unknown, P extends Presence = Presence> {
  readonly json: JsonSchema;
  readonly presence: P;
  /** Never set: carries the types. */
  readonly [shapes]?: { readonly input: Input; readonly stored: Stored };
}

/** What a user may write: fields with a default may be left out. */
export type InputOf<S> = S extends Schema<infer Input, unknown> ? Input : never;

/** What the API server stores: fields with a default are always there. */
export type StoredOf<S> = S extends Schema<unknown, infer Stored> ? Stored : never;

/** What any field may say beside its type. A field is required unless it has a default or is `optional`. */
export interface FieldOptions<Default, Optional, Nullable> {
  /** What the API server fills in when the field is absent. */
  readonly default?: Default;
  /** The field may be absent, and stays so. */
  readonly optional?: Optional;
  /** The field may be null. */
  readonly nullable?: Nullable;
  readonly rules?: readonly Rule[];
}

/** The presence that follows from a field's options. */
export type PresenceOf<Default, Optional> = undefined extends Default
  ? Optional extends true
    ? 'optional'
    : 'required'
  : 'defaulted';

/** The schema that follows from a field's types and options. */
export type FieldSchema<Input, Stored, Default, Optional, Nullable> = Schema<
  Nullable extends true ? Input | null : Input,
  Nullable extends true ? Stored | null : Stored,
  PresenceOf<Default, Optional>
>;

/** Joins a field's own keywords with those that any field may have. */
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
