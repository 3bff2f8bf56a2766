import { type JsonSchema, memberSchema } from './json.js';
import { isBroken, patternOf } from './rule.js';

/**
 * The problems of a value, one sentence each, in the form of the API server. Each starts with the path below the value.
 */
export function valueProblems(schema: JsonSchema, value: unknown, path = ''): readonly string[] {
  if (value === null) return schema.nullable ? [] : [`${path}: Invalid value: null: must not be null`];
  if (!ofType(schema, value)) return [`${path}: Invalid value: ${shown(value)}: must be of type ${typeName(schema)}`];
  const problems = checksOf(schema)
    .flatMap((check) => check(schema, value))
    .map((problem) => `${path}: ${problem}`);
  const ofMembers = memberProblems(schema, value, path);
  // Like the API server, which evaluates no rule for a value whose members have the wrong types.
  return [...problems, ...(ofMembers.length > 0 ? ofMembers : ruleProblems(schema, value, path))];
}

/** Only the rules that can be checked without CEL. */
function ruleProblems(schema: JsonSchema, value: unknown, path: string): readonly string[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => {
    const pattern = typeof value === 'string' ? patternOf(rule) : undefined;
    if (isBroken(rule, value)) {
      const { fieldPath = '', message = '' } = rule;
      return [
        `${path}${fieldPath}: ${typeof value === 'object' ? `Invalid value: ${message}` : invalid(value, message)}`,
      ];
    }
    return complaint(
      pattern !== undefined && !matches(pattern, String(value)),
      () => `${path}: ${invalid(value, rule.message ?? '')}`,
    );
  });
}

type Check = (schema: JsonSchema, value: unknown) => readonly string[];

/** The check for each keyword of a schema. */
const checks: { readonly [Keyword in keyof JsonSchema]?: Check } = {
  enum: ({ enum: values }, value) =>
    complaint(
      values && !values.includes(value as string),
      () => `Unsupported value: ${shown(value)}: must be one of ${values?.map(shown).join(', ')}`,
    ),
  minimum: ({ minimum }, value) =>
    complaint(below(value, minimum), () => invalid(value, `must be at least ${minimum}`)),
  maximum: ({ maximum }, value) => complaint(below(maximum, value), () => invalid(value, `must be at most ${maximum}`)),
  minLength: ({ minLength }, value) =>
    complaint(below(lengthOf(value), minLength), () =>
      invalid(value, `must have at least ${counted(minLength, 'character')}`),
    ),
  maxLength: ({ maxLength }, value) =>
    complaint(below(maxLength, lengthOf(value)), () =>
      invalid(value, `must have at most ${counted(maxLength, 'character')}`),
    ),
  pattern: ({ pattern }, value) =>
    complaint(pattern !== undefined && typeof value === 'string' && !matches(pattern, value), () =>
      invalid(value, `must match the pattern ${pattern}`),
    ),
  minItems: ({ minItems }, value) =>
    complaint(below(countOf(value), minItems), () => tooFewOrMany(countOf(value), 'item', `at least ${minItems}`)),
  maxItems: ({ maxItems }, value) =>
    complaint(below(maxItems, countOf(value)), () => tooFewOrMany(countOf(value), 'item', `at most ${maxItems}`)),
  minProperties: ({ minProperties }, value) =>
    complaint(below(sizeOf(value), minProperties), () =>
      tooFewOrMany(sizeOf(value), 'key', `at least ${minProperties}`),
    ),
  maxProperties: ({ maxProperties }, value) =>
    complaint(below(maxProperties, sizeOf(value)), () =>
      tooFewOrMany(sizeOf(value), 'key', `at most ${maxProperties}`),
    ),
  'x-kubernetes-list-type': (schema, value) => duplicates(schema, value).map((key) => `Duplicate value: ${key}`),
};

const checksBySchema = new WeakMap<JsonSchema, readonly Check[]>();

/** The checks of a schema, cached: an operator checks every spec that it renders against the same few schemas. */
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
    return schema['x-kubernetes-preserve-unknown-fields'] ? [] : [`${path}.${key}: Unknown field`];
  });
  return [...missing.map((name) => `${path}.${name}: Required value`), ...members];
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

/** Items of a set, or keys of a keyed list, that occur more than once. */
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

/** Undefined for an invalid pattern, which another check reports. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** The sentence is a function, because nearly every value is valid and its text costs more than the check. */
const complaint = (condition: boolean | undefined, sentence: () => string): readonly string[] =>
  condition ? [sentence()] : [];
const below = (low: unknown, high: unknown): boolean =>
  typeof low === 'number' && typeof high === 'number' && low < high;
/**
 * In characters, which can be two code units. The text is not split, because a list of its characters could be large.
 */
const lengthOf = (value: unknown) =>
  typeof value === 'string' ? value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) : undefined;
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const sizeOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : undefined;
const shown = (value: unknown) => JSON.stringify(value);
const invalid = (value: unknown, requirement: string) => `Invalid value: ${shown(value)}: ${requirement}`;
const tooFewOrMany = (count: number | undefined, unit: string, limit: string) =>
  `Invalid value: ${counted(count, unit)}: must have ${limit}`;
const counted = (limit: unknown, unit: string) => `${limit} ${unit}${limit === 1 ? '' : 's'}`;
