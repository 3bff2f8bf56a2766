import { type JsonRule, type JsonSchema, memberSchema } from './json.js';
import { valueProblems } from './value-problems.js';

/** The context of a field for a check. */
export interface Place {
  /** The path of the field, such as `spec.env[*].name`. */
  readonly path: string;
  /** The field is inside a list without keys, so the API server cannot match its old value with the new one. */
  readonly uncorrelated: boolean;
  /** The maximum number of occurrences of the field in one object. */
  readonly count: number;
}

/** Returns the problems of a field. Each is one sentence that also says what to do. */
export type FieldCheck = (schema: JsonSchema, place: Place) => readonly string[];

/**
 * Fields without a rule, and with none below them, that have no problem: their place does not matter. Kinds and their
 * versions share parts, such as the template of Pods, and each process that loads them checks them.
 */
const sound = new WeakSet<JsonSchema>();

/** The problems of a field and of all fields below it, each with its path. */
export function fieldProblems(schema: JsonSchema, place: Place): readonly string[] {
  if (sound.has(schema)) return [];
  const problems: string[] = [];
  for (const check of FIELD_CHECKS) for (const one of check(schema, place)) problems.push(`${place.path}: ${one}`);
  let isSound = problems.length === 0 && !schema['x-kubernetes-validations'];
  for (const [member, there] of below(schema, place)) {
    problems.push(...fieldProblems(member, there));
    isSound &&= sound.has(member);
  }
  if (isSound) sound.add(schema);
  return problems;
}

function below(schema: JsonSchema, { path, uncorrelated, count }: Place): readonly (readonly [JsonSchema, Place])[] {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [member, { path: `${path}.${name}`, uncorrelated, count }] as const,
  );
  // A limit of 0 does not reduce the cost.
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

const SIZES = RANGES.slice(1).flat();

/** The checks that the types cannot express, in the order of the problems. */
const FIELD_CHECKS: readonly FieldCheck[] = [
  ({ description }) => failing(!description?.trim(), 'must have a description; describe the field'),
  (schema) =>
    failing(
      !schema.type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields'],
      'must have a type; create the field with a function of the schema language',
    ),
  ({ type, items }) => failing(type === 'array' && !items, 'must have a schema for its items; add the item'),
  ({ properties, additionalProperties }) =>
    failing(properties && additionalProperties, 'must not have both fields and free keys; use an object or a map'),
  (schema) =>
    RANGES.filter(([low, high]) => Number(schema[low]) > Number(schema[high])).map(
      ([low, high]) => `${low} ${schema[low]} must be at most ${high} ${schema[high]}; swap them`,
    ),
  (schema) =>
    SIZES.filter((name) => schema[name] !== undefined && !(Number.isInteger(schema[name]) && schema[name] >= 0)).map(
      (name) => `${name} ${schema[name]} must be a whole number of 0 or more; correct the limit`,
    ),
  boundProblems,
  ({ enum: values }) =>
    failing(
      values && new Set(values).size !== values.length,
      'must not list a value of its enumeration twice; remove one of them',
    ),
  ({ enum: values }) => failing(values?.length === 0, 'must have at least one value in its enumeration; add one'),
  patternProblems,
  listKeyProblems,
  defaultProblems,
  (schema, place) => (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => ruleProblems(rule, schema, place)),
];

/** Limits that the format of the number cannot represent. */
function boundProblems({ type, format, minimum, maximum }: JsonSchema): readonly string[] {
  if (type !== 'integer') return [];
  const bounds = Object.entries({ minimum, maximum }).filter(([, bound]) => bound !== undefined);
  return bounds.flatMap(([name, bound]) =>
    valueProblems({ type, ...(format && { format }) }, bound).map(
      (problem) => `${name}${problem}; choose another limit`,
    ),
  );
}

/** RE2 has neither look-around nor back references. JavaScript must accept the pattern too. */
function patternProblems({ pattern }: JsonSchema): readonly string[] {
  if (pattern === undefined) return [];
  if (/\(\?<?[=!]/.test(pattern) || /\\[1-9]|\\k</.test(pattern)) {
    return [`pattern ${pattern} must not use look-around or a back reference, which RE2 lacks; use a CEL rule`];
  }
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [`pattern ${pattern} must be a regular expression: ${(error as Error).message}`];
  }
}

function listKeyProblems({ items, ...schema }: JsonSchema): readonly string[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const nullable = failing(
    items?.nullable && listType !== 'atomic',
    `items of a ${listType === 'map' ? 'keyed list' : 'set'} must not be nullable; remove nullable`,
  );
  const structured = failing(
    listType === 'set' && (items?.type === 'object' || items?.type === 'array'),
    'must not be a set of objects or lists, because nothing identifies them; use a keyed list',
  );
  if (listType !== 'map') return [...nullable, ...structured];
  return [
    ...nullable,
    ...failing(keys.length === 0, 'must have keys; name the fields that identify an item'),
    ...failing(new Set(keys).size !== keys.length, `must not name a key twice: ${keys.join(', ')}; name each key once`),
    ...keys.flatMap((key) => keyProblems(key, items)),
  ];
}

function keyProblems(key: string, items: JsonSchema | undefined): readonly string[] {
  const field = items && memberSchema({ properties: items.properties }, key);
  if (!field) return [`key ${key} must be a field of the items; choose another key`];
  return [
    ...failing(field.type === 'array' || field.type === 'object', `key ${key} must be a scalar; choose another key`),
    ...failing(
      !items?.required?.includes(key) && field.default === undefined,
      `key ${key} must not be optional; make it required or give it a default`,
    ),
    ...failing(field.nullable, `key ${key} must not be nullable; remove nullable`),
  ];
}

function defaultProblems(schema: JsonSchema): readonly string[] {
  if (schema.default === undefined) return [];
  return valueProblems(schema, schema.default).map((problem) => `default${problem}; change the default or the schema`);
}

const MENTIONS_OLD_SELF = /\boldSelf\b/;
/** The maximum size of a request in bytes. No text is longer, and no list has more than half as many items. */
const requestSize = 3 * 2 ** 20;
/**
 * The CEL cost that the API server allows for one rule. A comparison of ten characters costs 1.
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
      failing(rule[text]?.trim() === '', `${name} must not have an empty ${text}; fill it in or remove it`),
    ),
    ...failing(/[\r\n]/.test(rule.message ?? ''), `${name} must have a message of one line; remove the line breaks`),
    ...failing(old && uncorrelated, `${name} must not use oldSelf inside a list without keys; use a keyed list`),
    ...failing(
      cost > budget,
      `${name} must not exceed the cost budget of the API server; set maxLength, and maxItems or maxProperties around it`,
    ),
    ...failing(
      !old && rule.optionalOldSelf,
      `${name} must not have optionalOldSelf without oldSelf; remove optionalOldSelf`,
    ),
    ...failing(
      rule.fieldPath !== undefined && !fieldAt(schema, rule.fieldPath),
      `${name} must have the fieldPath of a field below, got ${rule.fieldPath}; write it as .field.subfield`,
    ),
  ];
}

/** A list with the problem if the condition is true, else an empty list. */
export function failing(condition: unknown, problem: string): readonly string[] {
  return condition ? [problem] : [];
}

const SEGMENT = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)+)'\]|(\[[^\]]*\])/y;

/**
 * The field at a path such as `.status.conditions[?(@.type=="Ready")].status`, if the schema has it. Brackets without a
 * quoted name select items of a list.
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
