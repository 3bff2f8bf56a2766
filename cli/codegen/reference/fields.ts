import type { JsonSchema } from '../../../crds/index.js';
import { definition } from '../../../crds/schema/json.js';
import { code, prose, type Row } from './markdown.js';

export const FIELD_HEADINGS: Row = ['Field', 'Type', 'Default', 'Limits', 'Description'];

/** A schema below another one, with its path. */
export interface Member {
  readonly path: string;
  readonly schema: JsonSchema;
  /** The field of an object. Items of a list and values of a map have no row. */
  readonly field?: { readonly required: boolean };
}

/** The schemas directly below a schema. The path of a page's own schema is empty. */
export function membersOf({ properties = {}, items, additionalProperties, required }: JsonSchema, path: string) {
  return [
    ...Object.entries(properties).map(
      ([name, schema]): Member => ({
        path: path === '' ? name : `${path}.${name}`,
        schema,
        field: { required: required?.includes(name) === true },
      }),
    ),
    ...(items ? [{ path: `${path}[]`, schema: items }] : []),
    ...(additionalProperties ? [{ path: `${path}.*`, schema: additionalProperties }] : []),
  ] satisfies readonly Member[];
}

/**
 * The rows of the fields below a schema. A field with a page of its own has one row that links to the page, and then rows
 * only of fields that differ from it.
 */
export function fieldRows(schema: JsonSchema, path: string): readonly Row[] {
  return membersOf(schema, path).flatMap((member: Member) => {
    const used = member.schema[definition];
    const below = used?.page
      ? differentRows(member.schema, used.json, member.path)
      : fieldRows(member.schema, member.path);
    return [...rowOf(member), ...below];
  });
}

/** The rows of the fields that a use of a definition adds, or that have another type, default, limit or description. */
function differentRows(use: JsonSchema, known: JsonSchema, path: string): readonly Row[] {
  const before = membersByPath(known, path);
  return membersOf(use, path).flatMap((member: Member) => {
    const counterpart = before.get(member.path);
    if (!counterpart) return [...rowOf(member), ...fieldRows(member.schema, member.path)];
    const rows = rowOf(member);
    const isSame = JSON.stringify(rows) === JSON.stringify(rowOf(counterpart));
    return [...(isSame ? [] : rows), ...differentRows(member.schema, counterpart.schema, member.path)];
  });
}

/** The fields of a definition that a use lacks. */
function lacking(use: JsonSchema, known: JsonSchema, path: string): readonly string[] {
  const here = membersByPath(use, path);
  return membersOf(known, path).flatMap((member: Member) => {
    const counterpart = here.get(member.path);
    return counterpart ? lacking(counterpart.schema, member.schema, member.path) : [member.path];
  });
}

function membersByPath(schema: JsonSchema, path: string): ReadonlyMap<string, Member> {
  return new Map(membersOf(schema, path).map((member) => [member.path, member]));
}

const rowOf = ({ path, schema, field }: Member): readonly Row[] =>
  field ? [fieldRow(path, schema, field.required)] : [];

export function fieldRow(path: string, schema: JsonSchema, required: boolean): Row {
  const byDefault =
    schema.default === undefined ? (required ? '**required**' : '') : code(JSON.stringify(schema.default));
  return [code(path), typeOf(schema), byDefault, limits(schema).join(', '), descriptionOf(schema)];
}

function descriptionOf(schema: JsonSchema): string {
  const text = prose(schema.description ?? '');
  const use = schema.items ?? schema.additionalProperties ?? schema;
  const used = use[definition];
  const absent = used?.page ? lacking(use, used.json, '') : [];
  return absent.length > 0 ? `${text} Without the fields ${absent.map(code).join(', ')}.` : text;
}

function typeOf(schema: JsonSchema): string {
  const { page } = schema[definition] ?? {};
  if (page) return `[${page.title}](${page.file})`;
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.items) return `list of ${typeOf(schema.items)}${keys(schema)}`;
  if (schema.additionalProperties) return `map of ${typeOf(schema.additionalProperties)}`;
  return [schema.type ?? 'any', schema.format && `(${schema.format})`].filter((part) => part).join(' ');
}

function keys(schema: JsonSchema): string {
  const names = schema['x-kubernetes-list-map-keys'];
  return names
    ? ` by ${names.map(code).join(', ')}`
    : schema['x-kubernetes-list-type'] === 'set'
      ? ' without duplicates'
      : '';
}

function limits(schema: JsonSchema): readonly string[] {
  const counted = schema.items ?? schema.additionalProperties;
  return [
    range('', schema.minimum, schema.maximum),
    range(' characters', schema.minLength, schema.maxLength),
    range(' items', schema.minItems, schema.maxItems),
    range(' keys', schema.minProperties, schema.maxProperties),
    schema.pattern && code(schema.pattern),
    schema.nullable && 'may be null',
    counted && (schema.items ? 'each: ' : 'each value: ') + limits(counted).join(', '),
  ].filter((limit): limit is string => Boolean(limit) && !/: $/.test(String(limit)));
}

function range(unit: string, low: number | undefined, high: number | undefined): string | undefined {
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? undefined : `at most ${high}${unit}`;
}
