import {
  boolean,
  defineKind,
  enumeration,
  integer,
  type JsonSchema,
  keyedList,
  list,
  map,
  matching,
  number,
  object,
  quantity,
  type Rule,
  type Schema,
  set,
  string,
} from '../../crds/index.js';
import { type Refusal, thing } from './given-kind.js';
import { KINDS } from './refused-kinds.js';

const field = (it: Schema) => () => defineKind(thing({ it }));
const ruled = (rule: Partial<Rule>) =>
  field(string('A text.', { rules: [{ rule: 'true', message: 'never', ...rule }] }));
const raw = (json: JsonSchema) => field({ json, presence: 'required' });

const IT = 'things.example.com v1 spec.it';

/** Fields: defaults that do not fit. */
const DEFAULTS: readonly Refusal[] = [
  [IT, 'default: Invalid value: 0: must be at least 1', 'server too', field(integer('n', { minimum: 1, default: 0 }))],
  [IT, 'default: Invalid value: 9: must be at most 8', 'server too', field(number('n', { maximum: 8, default: 9 }))],
  [
    IT,
    'default: Invalid value: 1.5: must be of type integer (int32)',
    'server too',
    field(integer('n', { default: 1.5 })),
  ],
  [
    IT,
    'default: Invalid value: 2147483648: must be of type integer (int32)',
    'server too',
    field(integer('n', { default: 2 ** 31 })),
  ],
  [
    IT,
    'default: Invalid value: "a": must be of type boolean',
    'server too',
    field(boolean('b', { default: 'a' as unknown as boolean })),
  ],
  [
    IT,
    'default: Invalid value: "": must have at least 1 character;',
    'server too',
    field(string('s', { minLength: 1, default: '' })),
  ],
  [
    IT,
    'default: Invalid value: "abc": must have at most 2 characters;',
    'server too',
    field(string('s', { maxLength: 2, default: 'abc' })),
  ],
  [
    IT,
    'default: Invalid value: "a": must match the pattern ^b$',
    'server too',
    field(string('s', { pattern: '^b$', default: 'a' })),
  ],
  [
    IT,
    'default: Invalid value: "a": must be b',
    'server too',
    field(string('s', { maxLength: 9, rules: [matching('^b$', 'must be b')], default: 'a' })),
  ],
  [
    IT,
    'default: Unsupported value: "c": must be one of "a", "b"',
    'server too',
    field(enumeration('e', ['a', 'b'], { default: 'c' as 'a' })),
  ],
  [
    IT,
    'default: Invalid value: "1 Gi": must be a size, such as 1Gi',
    'server too',
    field(quantity('q', { message: 'must be a size, such as 1Gi', default: '1 Gi' })),
  ],
  [
    IT,
    'default: Invalid value: "1 Gi": must match the pattern',
    'server too',
    field(quantity('q', { default: '1 Gi' })),
  ],
  [
    IT,
    'default: Invalid value: 2 items: must have at most 1',
    'server too',
    field(list('l', string('s'), { maxItems: 1, default: ['a', 'b'] })),
  ],
  [
    IT,
    'default: Invalid value: 0 items: must have at least 1',
    'server too',
    field(list('l', string('s'), { minItems: 1, default: [] })),
  ],
  [
    IT,
    'default[0]: Invalid value: 1: must be of type string',
    'server too',
    field(list('l', string('s'), { default: [1 as unknown as string] })),
  ],
  [
    IT,
    'default: Invalid value: 1 key: must have at most 0',
    'server too',
    field(map('m', string('s'), { maxProperties: 0, default: { a: '' } })),
  ],
  [IT, 'default: Duplicate value: "a"', 'ours', field(set('l', string('s'), { default: ['a', 'a'] }))],
  [
    IT,
    'default: Duplicate value: ["a"]',
    'ours',
    field(keyedList('l', ['k'], object('o', { k: string('s') }), { default: [{ k: 'a' }, { k: 'a' }] })),
  ],
  [
    IT,
    'default.a: Required value',
    'server too',
    field(object('o', { a: string('s') }, { default: {} as { a: string } })),
  ],
  [
    IT,
    'default.constructor: Unknown field',
    'server too',
    field(object('o', {}, { default: { constructor: 1 } as object })),
  ],
  [IT, 'default.b: Unknown field', 'server too', field(object('o', {}, { default: { b: 1 } as object }))],
  [
    IT,
    'default: Invalid value: null: must not be null',
    'ours',
    field(string('s', { default: null as unknown as string })),
  ],
];

/** Fields: schemas that are not structural, or limits that contradict each other. */
const SCHEMAS: readonly Refusal[] = [
  [IT, 'must have a description', 'ours', field(string(' '))],
  [IT, 'must have a type', 'server too', raw({ description: 'x' })],
  [IT, 'must have a schema for its items', 'server too', raw({ description: 'x', type: 'array' })],
  [
    IT,
    'must not have both fields and free keys',
    'server too',
    raw({
      description: 'x',
      type: 'object',
      properties: { a: string('a').json },
      additionalProperties: string('b').json,
    }),
  ],
  [IT, 'minimum 2 must be at most maximum 1', 'ours', field(integer('n', { minimum: 2, maximum: 1 }))],
  [IT, 'minLength 2 must be at most maxLength 1', 'ours', field(string('s', { minLength: 2, maxLength: 1 }))],
  [IT, 'maxLength -1 must be a whole number of 0 or more', 'ours', field(string('s', { maxLength: -1 }))],
  [
    IT,
    'maximum: Invalid value: 2147483648: must be of type integer (int32)',
    'ours',
    field(integer('n', { maximum: 2 ** 31 })),
  ],
  [IT, 'must not list a value of its enumeration twice', 'ours', field(enumeration('e', ['a', 'a']))],
  [IT, 'must have at least one value in its enumeration', 'ours', field(enumeration('e', [] as unknown as [string]))],
  [IT, 'pattern ( must be a regular expression', 'server too', field(string('s', { pattern: '(' }))],
  [IT, 'must not use look-around or a back reference', 'server too', field(string('s', { pattern: '^(?!a)' }))],
  [`${IT}[*]`, 'pattern ( must be', 'server too', field(list('l', string('s', { pattern: '(' })))],
  [`${IT}[*].a`, 'must have a description', 'ours', field(map('m', object('o', { a: string('') })))],
];

/** Lists whose keys cannot identify an item. */
const KEYS: readonly Refusal[] = [
  [
    IT,
    'must not be a set of objects',
    'server too',
    field(set('l', object('o', {}) as unknown as Schema<string, string, 'required'>)),
  ],
  [IT, 'must have keys', 'server too', field(keyedList('l', [] as unknown as ['k'], object('o', { k: string('s') })))],
  [IT, 'must not name a key twice', 'server too', field(keyedList('l', ['k', 'k'], object('o', { k: string('s') })))],
  [IT, 'key x must be a field', 'server too', field(keyedList('l', ['x' as 'k'], object('o', { k: string('s') })))],
  [
    IT,
    'key k must not be optional',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: string('s', { optional: true }) }))),
  ],
  [
    IT,
    'key k must not be nullable',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: string('s', { nullable: true }) }))),
  ],
  [
    IT,
    'key k must be a scalar',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: list('s', string('t')) }))),
  ],
  [
    IT,
    'items of a set must not be nullable',
    'server too',
    field(set('l', string('s', { nullable: true }) as unknown as Schema<string, string, 'required'>)),
  ],
];

const OLD = { rule: 'self == oldSelf', message: 'is immutable' };

/** CEL rules in the wrong form or place. */
const RULES: readonly Refusal[] = [
  [IT, 'must not have an empty rule', 'server too', ruled({ rule: ' ' })],
  [IT, 'must not have an empty message;', 'server too', ruled({ message: ' ' })],
  [IT, 'must not have an empty messageExpression', 'server too', ruled({ messageExpression: ' ' })],
  [IT, 'must have a message of one line', 'server too', ruled({ message: 'a\nb' })],
  [IT, 'must not have optionalOldSelf without oldSelf', 'server too', ruled({ optionalOldSelf: true })],
  [IT, 'must have the fieldPath of a field below, got .nowhere', 'server too', ruled({ fieldPath: '.nowhere' })],
  [
    `${IT}[*]`,
    'must not use oldSelf inside a list without keys',
    'server too',
    field(list('l', string('s', { rules: [OLD] }))),
  ],
  [
    `${IT}[*].a`,
    'must not use oldSelf inside a list',
    'server too',
    field(list('l', object('o', { a: string('s', { rules: [OLD] }) }))),
  ],
  [
    `${IT}[*]`,
    'must not exceed the cost budget of the API server; set maxLength, and maxItems or maxProperties around it',
    'server too',
    field(map('m', string('s', { rules: [OLD] }))),
  ],
  [
    `${IT}[*].a[*]`,
    'must not exceed the cost budget of the API server',
    'server too',
    field(
      keyedList(
        'k',
        ['b'],
        object('o', { b: string('s'), a: map('m', string('s', { rules: [OLD] }), { maxProperties: 0 }) }),
      ),
    ),
  ],
  [
    `${IT}[*].a`,
    'must not exceed the cost budget of the API server',
    'server too',
    field(keyedList('k', ['b'], object('o', { b: string('s'), a: string('s', { maxLength: 1e6, rules: [OLD] }) }))),
  ],
];

/** Everything that the schema language refuses at run time. */
export const REFUSALS: readonly Refusal[] = [...DEFAULTS, ...SCHEMAS, ...KEYS, ...RULES, ...KINDS];
