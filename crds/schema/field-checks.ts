import { type JsonRule, type JsonSchema, memberSchema } from './json.js';
import { valueProblems } from './value-problems.js';

/** What a check knows about the place of a field. */
export interface Place {
  /** The field's path, as `spec.env[*].name`. */
  readonly path: string;
  /** The API server cannot tell which old value belongs to the new one: the field is inside a list without keys. */
  readonly uncorrelated: boolean;
  /** How many of it there may be in one object, at the most. */
  readonly count: number;
}

/** What is wrong with a field and what to do, in one sentence each. */
export type FieldCheck = (schema: JsonSchema, place: Place) => readonly string[];

/** A problem of a field, with its path. */
export function fieldProblems(schema: JsonSchema, place: Place): readonly string[] {
  const own = FIELD_CHECKS.flatMap((check) => check(schema, place)).map((problem) => `${place.path}: ${problem}`);
  return [...own, ...below(schema, place).flatMap(([member, there]) => fieldProblems(member, there))];
}

function below(schema: JsonSchema, { path, uncorrelated, count }: Place): readonly (readonly [JsonSchema, Place])[] {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [member, { path: `${path}.${name}`, uncorrelated, count }] as const,
  );
  // A limit of 0 makes nothing cheaper that is around it.
  const most = Math.max(1, schema.maxItems ?? schema.maxProperties ?? requestSize / 2);
  const any = { path: `${path}[*]`, count: count * most };
  const inList = { ...any, uncorrelated: uncorrelated || schema['x-kubernetes-list-type'] !== 'map' };
  const items = schema.items ? [[schema.items, inList] as const] : [];
  const values = schema.additionalProperties ? [[schema.additionalProperties, { ...any, uncorrelated }] as const] : [];
  return [...members, ...items, ...values];
}

const RANGES = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Every rule of a field that the types do not hold, in the order in which problems are told. */
const FIELD_CHECKS: readonly FieldCheck[] = [
  ({ description }) => failing(!description?.trim(), 'has no description; say what it is for'),
  (schema) =>
    failing(
      !schema.type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields'],
      'has no type; build it with a function of the schema language',
    ),
  ({ type, items }) => failing(type === 'array' && !items, 'is a list without an item; give its item'),
  ({ properties, additionalProperties }) =>
    failing(properties && additionalProperties, 'has fields and free keys at once; make it an object or a map'),
  (schema) =>
    RANGES.flatMap(([low, high]) =>
      failing(
        Number(schema[low]) > Number(schema[high]),
        `${low} ${schema[low]} is more than ${high} ${schema[high]}; swap them`,
      ),
    ),
  (schema) =>
    RANGES.slice(1)
      .flat()
      .flatMap((name) =>
        failing(
          schema[name] !== undefined && !(Number.isInteger(schema[name]) && Number(schema[name]) >= 0),
          `${name} ${schema[name]} is not a count; give a whole number from 0`,
        ),
      ),
  boundProblems,
  ({ enum: values }) =>
    failing(values && new Set(values).size !== values.length, 'lists a value of its enumeration twice'),
  ({ enum: values }) => failing(values?.length === 0, 'is an enumeration without values; give at least one'),
  patternProblems,
  listKeyProblems,
  defaultProblems,
  (schema, place) => (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => ruleProblems(rule, schema, place)),
];

/** Limits that the number's own format cannot hold. */
function boundProblems({ type, format, minimum, maximum }: JsonSchema): readonly string[] {
  if (type !== 'integer') return [];
  const bounds = Object.entries({ minimum, maximum }).filter(([, bound]) => bound !== undefined);
  return bounds.flatMap(([name, bound]) =>
    valueProblems({ type, ...(format && { format }) }, bound).map(
      (problem) => `${name}${problem}; choose another limit`,
    ),
  );
}

/** RE2 has neither look-around nor back references, and JavaScript must read the pattern too. */
function patternProblems({ pattern }: JsonSchema): readonly string[] {
  if (pattern === undefined) return [];
  if (/\(\?<?[=!]/.test(pattern) || /\\[1-9]|\\k</.test(pattern)) {
    return [`pattern ${pattern} uses look-around or a back reference, which RE2 lacks; say it with a CEL rule`];
  }
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [`pattern ${pattern} is not a regular expression: ${(error as Error).message}`];
  }
}

function listKeyProblems({ items, ...schema }: JsonSchema): readonly string[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const nullable = failing(
    items?.nullable && listType !== 'atomic',
    `items of a ${listType === 'map' ? 'keyed list' : 'set'} are never null; drop nullable`,
  );
  const structured = failing(
    listType === 'set' && (items?.type === 'object' || items?.type === 'array'),
    'is a set of objects or lists, which nothing identifies; make it a keyed list',
  );
  if (listType !== 'map') return [...nullable, ...structured];
  return [
    ...nullable,
    ...failing(keys.length === 0, 'is a keyed list without keys; name the fields that identify an item'),
    ...failing(new Set(keys).size !== keys.length, `names a key twice: ${keys.join(', ')}; name each once`),
    ...keys.flatMap((key) => keyProblems(key, items)),
  ];
}

function keyProblems(key: string, items: JsonSchema | undefined): readonly string[] {
  const field = items && memberSchema({ properties: items.properties }, key);
  if (!field) return [`key ${key} is not a field of the items; name one that is`];
  return [
    ...failing(field.type === 'array' || field.type === 'object', `key ${key} is not a scalar; choose another key`),
    ...failing(
      !items?.required?.includes(key) && field.default === undefined,
      `key ${key} may be absent; make it required or give it a default`,
    ),
    ...failing(field.nullable, `key ${key} is nullable; a key is never null`),
  ];
}

function defaultProblems(schema: JsonSchema): readonly string[] {
  if (schema.default === undefined) return [];
  return valueProblems(schema, schema.default).map((problem) => `default${problem}; change the default or the schema`);
}

const MENTIONS_OLD_SELF = /\boldSelf\b/;
/** Bytes of a request at the most: no text is longer, and no list has more than half as many items. */
const requestSize = 3 * 2 ** 20;
/**
 * What the API server pays for one rule, where comparing ten characters costs one.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#resource-use-by-validation-functions
 */
const budget = 10_000_000;

function ruleProblems(rule: JsonRule, schema: JsonSchema, { uncorrelated, count }: Place): readonly string[] {
  const texts = ['rule', 'message', 'messageExpression', 'fieldPath'] as const;
  const old = MENTIONS_OLD_SELF.test(rule.rule);
  const name = `rule ${JSON.stringify(rule.rule)}`;
  const cost = old && !uncorrelated && schema.type === 'string' ? count * 0.1 * (schema.maxLength ?? requestSize) : 0;
  return [
    ...texts.flatMap((text) =>
      failing(rule[text]?.trim() === '', `${name} has an empty ${text}; write it or leave it out`),
    ),
    ...failing(/[\r\n]/.test(rule.message ?? ''), `${name} has a message of several lines; write it on one`),
    ...failing(old && uncorrelated, `${name} uses oldSelf inside a list without keys; make it a keyed list`),
    ...failing(
      cost > budget,
      `${name} compares more text than the API server pays for; set maxLength, and maxItems or maxProperties around it`,
    ),
    ...failing(!old && rule.optionalOldSelf, `${name} has optionalOldSelf but no oldSelf; drop it`),
    ...failing(
      rule.fieldPath !== undefined && !fieldAt(schema, rule.fieldPath),
      `${name} points at ${rule.fieldPath}, which is not a field below; write it as .field.subfield`,
    ),
  ];
}

/** The problem as a list when the condition holds: checks are lists that add up. */
export function failing(condition: unknown, problem: string): readonly string[] {
  return condition ? [problem] : [];
}

const SEGMENT = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)+)'\]|(\[[^\]]*\])/y;

/**
 * The field that a path such as `.status.conditions[?(@.type=="Ready")].status` leads to, if the schema has it.
 * Brackets that do not hold a quoted name pick items of a list.
 */
export function fieldAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let field: JsonSchema | undefined = schema;
  SEGMENT.lastIndex = 0;
  for (let read = 0; read < path.length; read = SEGMENT.lastIndex) {
    const segment = SEGMENT.exec(path);
    if (!segment || !field) return undefined;
    field = segment[3] ? field.items : memberSchema(field, segment[1] ?? segment[2] ?? '');
  }
  return path === '' ? undefined : field;
}
