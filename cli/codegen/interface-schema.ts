import type { JsonSchema } from '../../crds/index.js';
import { pascal } from './names.js';

/** The side of the API server that an interface describes: `input` as written, or `stored` with defaults. */
export type View = 'input' | 'stored';

/** A schema in the dialect of json-schema-to-typescript, which also accepts a type as text (`tsType`). */
export type InterfaceSchema = Readonly<Record<string, unknown>>;

/**
 * Converts structural schemas into schemas for json-schema-to-typescript, which generates named readonly interfaces.
 * The name of an object comes from its path. An object without defaults has one interface for both sides.
 */
export class InterfaceSchemas {
  // Keyed by the schema object: two paths may give the same name, and one schema must give one interface.
  readonly #made: Readonly<Record<View, Map<JsonSchema, InterfaceSchema>>> = { input: new Map(), stored: new Map() };

  of(schema: JsonSchema, path: string, view: View): InterfaceSchema {
    const shared = { description: documentation(schema), nullable: schema.nullable };
    const leaf = leafType(schema);
    if (leaf) return { ...shared, tsType: leaf };
    if (schema.items) return { ...shared, type: 'array', items: this.of(schema.items, path, view) };
    const own = hasDefaults(schema) ? view : 'stored';
    const made = this.#made[own].get(schema) ?? { ...shared, ...this.#container(schema, path, own) };
    this.#made[own].set(schema, made);
    return made;
  }

  #container(schema: JsonSchema, path: string, view: View): InterfaceSchema {
    const title = view === 'input' ? `${path}Input` : path;
    if (schema.properties) return { title, ...this.fields(schema, path, view) };
    const value = this.of(schema.additionalProperties ?? {}, `${path}Value`, view);
    return { title, type: 'object', additionalProperties: value };
  }

  /** The fields of an object. On the stored side, fields with a default are required. */
  fields(schema: JsonSchema, path: string, view: View): InterfaceSchema {
    const fields = Object.entries(schema.properties ?? {});
    const required = fields
      .filter(([name, field]) => schema.required?.includes(name) && (view === 'stored' || field.default === undefined))
      .map(([name]) => name);
    const defaulted = fields
      .filter(([, field]) => view === 'stored' && field.default !== undefined)
      .map(([name]) => name);
    return {
      type: 'object',
      required: [...new Set([...required, ...defaulted])],
      properties: Object.fromEntries(fields.map(([name, field]) => [name, this.of(field, path + pascal(name), view)])),
      additionalProperties: schema['x-kubernetes-preserve-unknown-fields'] ? {} : false,
    };
  }
}

function hasDefaults(schema: JsonSchema): boolean {
  const members = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return members.some((member) => member !== undefined && (member.default !== undefined || hasDefaults(member)));
}

/** The type as text, unless an object with fields is part of it. */
function leafType(schema: JsonSchema): string | undefined {
  const type = bareType(schema);
  return type !== undefined && schema.nullable ? `${type} | null` : type;
}

function bareType(schema: JsonSchema): string | undefined {
  if (schema['x-kubernetes-int-or-string']) return 'number | string';
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) return collectionType(schema.items, (item) => `ReadonlyArray<${item}>`);
  if (schema.additionalProperties)
    return collectionType(schema.additionalProperties, (value) => `Readonly<Record<string, ${value}>>`);
  if (schema.properties) return undefined;
  return BARE_TYPES[schema.type ?? 'unknown'];
}

function collectionType(member: JsonSchema, around: (type: string) => string): string | undefined {
  const type = leafType(member);
  return type && around(type);
}

const BARE_TYPES: Readonly<Record<string, string>> = {
  array: 'readonly unknown[]',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  object: 'Readonly<Record<string, unknown>>',
  string: 'string',
  unknown: 'unknown',
};

const TAGS = ['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const;

/** The text of a JSDoc comment: the description and the limits that the type cannot express. */
function documentation(schema: JsonSchema): string | undefined {
  // The limits of an int-or-string apply to only one of its two forms. The reference page lists them.
  const told = schema['x-kubernetes-int-or-string'] ? (['default'] as const) : TAGS;
  const tags = told.filter((tag) => schema[tag] !== undefined).map((tag) => `@${tag} ${text(schema[tag])}`);
  const parts = [schema.description?.trim(), tags.join('\n')].filter((part) => part);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
