import { type JsonSchema, memberSchema } from './json.js';
import type { InputOf, Schema, StoredOf } from './schema.js';

/**
 * Returns the value as the API server stores it. Absent fields get their defaults. Null counts as absent if the field
 * is not nullable. The function does not change its argument and keeps unknown fields: only the API server prunes and
 * validates.
 *
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting
 */
export function withDefaults<S extends Schema>(schema: S, value: InputOf<S>): StoredOf<S> {
  return defaulted(value, schema.json) as StoredOf<S>;
}

/** {@link withDefaults} for a schema in the form that a CustomResourceDefinition has. */
export function defaulted(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => defaulted(present(item, items), items)) : value;
  }
  return typeof value === 'object' && value !== null ? defaultedObject(value, schema) : value;
}

/** Uses own keys and `fromEntries`, because `__proto__` and `constructor` are valid keys. */
function defaultedObject(value: object, schema: JsonSchema): unknown {
  const entries = new Map(Object.entries(value));
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (field.default !== undefined) entries.set(key, present(entries.get(key), field));
  }
  for (const [key, member] of entries) {
    const field = memberSchema(schema, key);
    const kept = field ? present(member, field) : member;
    if (kept === undefined || (kept === null && field && !field.nullable)) entries.delete(key);
    else entries.set(key, field ? defaulted(kept, field) : kept);
  }
  return Object.fromEntries(entries);
}

/** The value, or the default if it is absent. */
function present(value: unknown, schema: JsonSchema): unknown {
  const absent = value === undefined || (value === null && !schema.nullable);
  return absent && schema.default !== undefined ? structuredClone(schema.default) : value;
}
