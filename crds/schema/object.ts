import {
  type FieldOptions,
  field,
  type InputOf,
  type Presence,
  type PresenceOf,
  type Schema,
  type StoredOf,
} from './schema.js';

/** The fields of an object by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** An object with known fields. The API server prunes every other field. */
export interface ObjectSchema<F extends Fields = Fields, P extends Presence = Presence, Null = never>
  extends Schema<ObjectInput<F> | Null, ObjectStored<F> | Null, P> {
  readonly fields: F;
}

type NamesOf<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K]['presence'] extends P ? K : never;
}[keyof F];

/** Flattens an intersection into one object, so that errors and hovers show the fields. */
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The values that a user can write for an object with these fields. */
export type ObjectInput<F extends Fields> = Flat<
  { readonly [K in NamesOf<F, 'required'>]: InputOf<F[K]> } & {
    readonly [K in NamesOf<F, 'defaulted' | 'optional'>]?: InputOf<F[K]>;
  }
>;

/** The values that the API server stores for an object with these fields. */
export type ObjectStored<F extends Fields> = Flat<
  { readonly [K in NamesOf<F, 'required' | 'defaulted'>]: StoredOf<F[K]> } & {
    readonly [K in NamesOf<F, 'optional'>]?: StoredOf<F[K]>;
  }
>;

/** An object with known fields. With `default: {}`, an absent object gets the defaults of its fields. */
export function object<
  F extends Fields,
  D extends ObjectInput<F> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  fields: F,
  options: FieldOptions<D, O, N> = {},
): ObjectSchema<F, PresenceOf<D, O>, N extends true ? null : never> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const own = {
    type: 'object',
    required: required.length > 0 ? required : undefined,
    properties: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
  } as const;
  return { ...field<ObjectInput<F>, ObjectStored<F>, D, O, N>(description, own, options), fields } as ObjectSchema<
    F,
    PresenceOf<D, O>,
    N extends true ? null : never
  >;
}
