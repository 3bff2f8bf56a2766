import { type JsonSchema, memberSchema } from './json.js';
import { patternOf } from './rule.js';

/** What keeps a value from matching a schema: one sentence each, beginning with the path below the value. */
export function valueProblems(schema: JsonSchema, value: unknown, path = ''): readonly string[] {
  if (value === null) return schema.nullable ? [] : [`${path} is null`];
  if (!ofType(schema, value)) return [`${path} ${shown(value)} is not of type ${typeName(schema)}`];
  const problems = checksOf(schema)
    .flatMap((check) => check(schema, value))
    .map((problem) => `${path} ${problem}`);
  return [...problems, ...memberProblems(schema, value, path)];
}

type Check = (schema: JsonSchema, value: unknown) => readonly string[];

/** What each keyword of a schema asks of a value. */
const checks: { readonly [Keyword in keyof JsonSchema]?: Check } = {
  enum: ({ enum: values }, value) =>
    complaint(values && !values.includes(value as string), () => `${shown(value)} is not in ${shown(values)}`),
  minimum: ({ minimum }, value) =>
    complaint(below(value, minimum), () => `${shown(value)} is less than minimum ${minimum}`),
  maximum: ({ maximum }, value) =>
    complaint(below(maximum, value), () => `${shown(value)} is more than maximum ${maximum}`),
  minLength: ({ minLength }, value) =>
    complaint(below(lengthOf(value), minLength), () => `${shown(value)} is shorter than minLength ${minLength}`),
  maxLength: ({ maxLength }, value) =>
    complaint(below(maxLength, lengthOf(value)), () => `${shown(value)} is longer than maxLength ${maxLength}`),
  pattern: ({ pattern }, value) =>
    complaint(
      pattern !== undefined && typeof value === 'string' && !matches(pattern, value),
      () => `${shown(value)} does not match pattern ${pattern}`,
    ),
  // Of rules only these can be judged without CEL.
  'x-kubernetes-validations': (schema, value) =>
    (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => {
      const pattern = patternOf(rule);
      return complaint(
        pattern !== undefined && typeof value === 'string' && !matches(pattern, value),
        () => `${shown(value)} ${rule.message ?? ''}`,
      );
    }),
  minItems: ({ minItems }, value) =>
    complaint(below(countOf(value), minItems), () => `has fewer items than minItems ${minItems}`),
  maxItems: ({ maxItems }, value) =>
    complaint(below(maxItems, countOf(value)), () => `has more items than maxItems ${maxItems}`),
  minProperties: ({ minProperties }, value) =>
    complaint(below(sizeOf(value), minProperties), () => `has fewer keys than minProperties ${minProperties}`),
  maxProperties: ({ maxProperties }, value) =>
    complaint(below(maxProperties, sizeOf(value)), () => `has more keys than maxProperties ${maxProperties}`),
  'x-kubernetes-list-type': (schema, value) => duplicates(schema, value).map((key) => `has ${key} twice`),
};

const checksBySchema = new WeakMap<JsonSchema, readonly Check[]>();

/** The checks that a schema asks for. An operator looks at the same few schemas with every spec that it renders. */
function checksOf(schema: JsonSchema): readonly Check[] {
  const known = checksBySchema.get(schema);
  if (known) return known;
  const asked = Object.entries(checks).flatMap(([keyword, check]) => (Object.hasOwn(schema, keyword) ? [check] : []));
  checksBySchema.set(schema, asked);
  return asked;
}

function memberProblems(schema: JsonSchema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => valueProblems(items, item, `${path}[${index}]`)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const members = Object.entries(value).flatMap(([key, member]) => {
    const field = memberSchema(schema, key);
    if (field) return valueProblems(field, member, `${path}.${key}`);
    return schema['x-kubernetes-preserve-unknown-fields'] ? [] : [`${path}.${key} is not a field`];
  });
  return [...missing.map((name) => `${path}.${name} is required`), ...members];
}

function ofType(schema: JsonSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || isInteger(schema, value);
  switch (schema.type) {
    case 'integer':
      return isInteger(schema, value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case undefined:
      return true;
    default:
      return typeof value === schema.type && !Number.isNaN(value);
  }
}

function isInteger({ format }: JsonSchema, value: unknown): boolean {
  return Number.isSafeInteger(value) && (format !== 'int32' || Math.abs(Number(value) + 0.5) < 2 ** 31);
}

function typeName(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  return schema.format ? `${schema.type} (${schema.format})` : `${schema.type}`;
}

/** Items of a set, or keys of a keyed list, that are there more than once. */
function duplicates(schema: JsonSchema, value: unknown): readonly string[] {
  const listType = schema['x-kubernetes-list-type'];
  if (!Array.isArray(value) || (listType !== 'set' && listType !== 'map')) return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const ids = value.map((item) => shown(listType === 'set' ? item : keys.map((key) => item?.[key])));
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

const patterns = new Map<string, RegExp | undefined>();

function matches(pattern: string, value: string): boolean {
  if (!patterns.has(pattern)) patterns.set(pattern, compiled(pattern));
  return patterns.get(pattern)?.test(value) ?? true;
}

/** Undefined for one that is none, which is another check's business. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** The sentence is a function: nearly every value is as it should be, and saying what it is would cost more than looking. */
const complaint = (condition: boolean | undefined, sentence: () => string): readonly string[] =>
  condition ? [sentence()] : [];
const below = (low: unknown, high: unknown): boolean =>
  typeof low === 'number' && typeof high === 'number' && low < high;
/** In characters, of which some are two code units; a text may be large, and a list of its characters larger. */
const lengthOf = (value: unknown) =>
  typeof value === 'string' ? value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) : undefined;
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const sizeOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : undefined;
const shown = (value: unknown) => JSON.stringify(value);
