import type { Fields, ObjectSchema } from './object.js';
import { type FieldOptions, type FieldSchema, field, type InputOf, type Schema, type StoredOf } from './schema.js';

/** How many items a list may have. */
export interface ListLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** How many keys a map may have. */
export interface MapLimits {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

// A default or `optional` on an item says nothing: an item is there or it is not.
type Item = Schema<unknown, unknown, 'required'>;

type ListOf<S> = readonly InputOf<S>[];
type StoredListOf<S> = readonly StoredOf<S>[];

/** A list that one owner writes as a whole. */
export function list<
  S extends Item,
  D extends ListOf<S> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  item: S,
  options: ListLimits & FieldOptions<D, O, N> = {},
): FieldSchema<ListOf<S>, StoredListOf<S>, D, O, N> {
  const { minItems, maxItems } = options;
  const own = { type: 'array', items: item.json, minItems, maxItems, 'x-kubernetes-list-type': 'atomic' } as const;
  return field(description, own, options);
}

/** A list without duplicates, in which several owners each write items of their own. */
export function set<
  S extends Schema<string | number | boolean, string | number | boolean, 'required'>,
  D extends ListOf<S> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  item: S,
  options: ListLimits & FieldOptions<D, O, N> = {},
): FieldSchema<ListOf<S>, StoredListOf<S>, D, O, N> {
  const { minItems, maxItems } = options;
  const own = { type: 'array', items: item.json, minItems, maxItems, 'x-kubernetes-list-type': 'set' } as const;
  return field(description, own, options);
}

/** The fields that can identify an object in a list: scalars that are always there. */
export type KeysOf<F extends Fields> = {
  [K in keyof F & string]: F[K] extends Schema<unknown, string | number | boolean, 'required' | 'defaulted'>
    ? K
    : never;
}[keyof F & string];

/** A list of objects that some of their fields identify, in which several owners each write items of their own. */
export function keyedList<
  F extends Fields,
  D extends ListOf<ObjectSchema<F>> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  keys: readonly [KeysOf<F>, ...KeysOf<F>[]],
  item: ObjectSchema<F, 'required'>,
  options: ListLimits & FieldOptions<D, O, N> = {},
): FieldSchema<ListOf<ObjectSchema<F>>, StoredListOf<ObjectSchema<F>>, D, O, N> {
  const { minItems, maxItems } = options;
  const own = {
    type: 'array',
    items: item.json,
    minItems,
    maxItems,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  } as const;
  return field(description, own, options);
}

/** Values by keys that the user chooses. */
export function map<
  S extends Item,
  D extends Readonly<Record<string, InputOf<S>>> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  value: S,
  options: MapLimits & FieldOptions<D, O, N> = {},
): FieldSchema<Readonly<Record<string, InputOf<S>>>, Readonly<Record<string, StoredOf<S>>>, D, O, N> {
  const { minProperties, maxProperties } = options;
  const own = { type: 'object', additionalProperties: value.json, minProperties, maxProperties } as const;
  return field(description, own, options);
}
