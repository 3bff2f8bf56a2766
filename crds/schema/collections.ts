import type { Fields, ObjectSchema } from './object.js';
import { type FieldOptions, type FieldSchema, field, type InputOf, type Schema, type StoredOf } from './schema.js';

/** Limits for the number of items in a list, both included. */
export interface ListLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Limits for the number of keys in a map, both included. */
export interface MapLimits {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

// A default or `optional` on an item has no meaning: an item is present or absent.
type Item = Schema<unknown, unknown, 'required'>;

type ListOf<S> = readonly InputOf<S>[];
type StoredListOf<S> = readonly StoredOf<S>[];

/** An atomic list: one field manager owns the whole list. */
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

/** A list without duplicates. Several field managers can each own items of it. */
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

/** The fields that can identify an object in a list: scalars that are always present. */
export type KeysOf<F extends Fields> = {
  [K in keyof F & string]: F[K] extends Schema<unknown, string | number | boolean, 'required' | 'defaulted'>
    ? K
    : never;
}[keyof F & string];

/** A list of objects that are identified by some of their fields. Several field managers can each own items of it. */
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

/** A map: values by keys that the user chooses. */
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
