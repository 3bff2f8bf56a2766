import { isRecord } from '../../../../../operator/runtime/kubernetes/json.js';

/** A schema of the API server's OpenAPI document. */
export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string; readonly version: string }[];
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Names of fields and indexes of items. */
export type Path = readonly (string | number)[];

/** A field that an object does not have, and its zero value. */
export interface ZeroField {
  readonly path: Path;
  readonly value: unknown;
}

/** Zero values of Go, by the type of the schema. */
const zeros = new Map<string | undefined, unknown>([
  ...([['boolean', false], ['integer', 0], ['string', '']] as const), // biome-ignore format: a row
  ...([['array', []], ['object', {}]] as const), // biome-ignore format: a row
]);

/** The schema that a reference leads to. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  const target = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return target === undefined ? schema : (schemas[target.slice(target.lastIndexOf('/') + 1)] ?? {});
}

/** The fields that a value may have by its schema and does not have, with those of its content. */
export function absentFields(
  value: unknown,
  { schema, schemas }: { readonly schema: Schema; readonly schemas: Schemas },
  path: Path = [],
): ZeroField[] {
  const { properties = {}, items = {}, additionalProperties = {} } = resolved(schema, schemas);
  const below = (part: unknown, own: Schema, step: string | number) =>
    absentFields(part, { schema: own, schemas }, [...path, step]);
  if (Array.isArray(value)) return value.flatMap((item, index) => below(item, items, index));
  if (!isRecord(value)) return [];
  const present = Object.entries(value).flatMap(([name, part]) =>
    below(part, properties[name] ?? additionalProperties, name),
  );
  const absent = Object.entries(properties).flatMap(([name, own]) => {
    const { type } = resolved(own, schemas);
    return name in value || !zeros.has(type) ? [] : [{ path: [...path, name], value: zeros.get(type) }];
  });
  return [...present, ...absent];
}

/** What an object has at a path. */
export function valueAt(object: unknown, path: Path): unknown {
  return path.reduce((found, step) => (found as Record<string | number, unknown> | null | undefined)?.[step], object);
}

/** A copy of an object with a value at a path, or without the field if the value is undefined. */
export function withField<T>(object: T, { path, value }: ZeroField): T {
  const copy = structuredClone(object);
  const [holder, last = ''] = [valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>, path.at(-1)];
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
