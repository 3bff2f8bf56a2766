export { type KeysOf, keyedList, type ListLimits, list, type MapLimits, map, set } from './collections.js';
export {
  type CustomResourceDefinition,
  type CustomResourceNames,
  type CustomResourceVersion,
  toCustomResourceDefinition,
} from './crd.js';
export { withDefaults } from './defaults.js';
export { defineKind, SchemaError, type StatusOf } from './define-kind.js';
export { celSeconds, type DurationLimits, duration, secondsOf } from './duration.js';
export type { Json, JsonRule, JsonSchema } from './json.js';
export type { Column, Kind, KindDefinition, Scale, VersionDefinition } from './kind.js';
export { servedVersionProblems } from './kind-checks.js';
export { type Fields, type ObjectInput, type ObjectSchema, type ObjectStored, object } from './object.js';
export { immutable, matching, type Rule } from './rule.js';
export {
  boolean,
  enumeration,
  integer,
  intOrString,
  type NumberLimits,
  number,
  preserved,
  type QuantityText,
  quantity,
  type StringFormat,
  type StringLimits,
  string,
} from './scalars.js';
export type { FieldOptions, FieldSchema, InputOf, Presence, PresenceOf, Schema, StoredOf } from './schema.js';
export { conditions } from './status.js';
