import {
  boolean,
  defineKind,
  enumeration,
  type Fields,
  integer,
  type JsonSchema,
  type Kind,
  type KindDefinition,
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
  type VersionDefinition,
} from '../../crds/index.js';

/** A kind that cannot be: where, what is wrong, whether Kubernetes itself refuses it, and the kind. */
export type Refusal = readonly [where: string, problem: string, server: 'server too' | 'ours', kind: () => Kind];

/** The kind `things.example.com` with one version, changed as told. */
export function thing(
  spec: Fields,
  version: Partial<VersionDefinition> = {},
  kind: Partial<KindDefinition> = {},
): KindDefinition {
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    description: 'A thing.',
    spec: object('What is wanted.', spec),
  };
  return { group: 'example.com', kind: 'Thing', scope: 'Namespaced', versions: [{ ...v1, ...version }], ...kind };
}

const field = (it: Schema) => () => defineKind(thing({ it }));
const version = (change: Partial<VersionDefinition>) => () => defineKind(thing({}, change));
const kind = (change: Partial<KindDefinition>) => () => defineKind(thing({}, {}, change));
const ruled = (rule: Partial<Rule>) =>
  field(string('A text.', { rules: [{ rule: 'true', message: 'never', ...rule }] }));
const raw = (json: JsonSchema) => field({ json, presence: 'required' });
const column = (jsonPath: string, type: 'integer' | 'string' = 'string') =>
  version({ columns: [{ name: 'It', type, jsonPath }] });
const counts = {
  spec: object('What is wanted.', { count: integer('How many.', { default: 1 }), name: string('Who.') }),
  status: object('What is.', { count: integer('How many.', { optional: true }) }, { optional: true }),
};
const scaled = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string) =>
  version({
    ...counts,
    scale: { specReplicasPath, statusReplicasPath, ...(labelSelectorPath && { labelSelectorPath }) },
  });
const v = (name: string, change: Partial<VersionDefinition> = {}) =>
  ({ ...thing({}).versions[0], name, ...change }) as VersionDefinition;

const IT = 'things.example.com v1 spec.it';
const KIND = 'things.example.com';

/** Fields: defaults that do not fit. */
const DEFAULTS: readonly Refusal[] = [
  [IT, 'default 0 is less than minimum 1', 'server too', field(integer('n', { minimum: 1, default: 0 }))],
  [IT, 'default 9 is more than maximum 8', 'server too', field(number('n', { maximum: 8, default: 9 }))],
  [IT, 'default 1.5 is not of type integer (int32)', 'server too', field(integer('n', { default: 1.5 }))],
  [IT, 'default 2147483648 is not of type integer (int32)', 'server too', field(integer('n', { default: 2 ** 31 }))],
  [IT, 'default "a" is not of type boolean', 'server too', field(boolean('b', { default: 'a' as unknown as boolean }))],
  [IT, 'default "" is shorter than minLength 1', 'server too', field(string('s', { minLength: 1, default: '' }))],
  [IT, 'default "abc" is longer than maxLength 2', 'server too', field(string('s', { maxLength: 2, default: 'abc' }))],
  [IT, 'default "a" does not match pattern ^b$', 'server too', field(string('s', { pattern: '^b$', default: 'a' }))],
  [
    IT,
    'default "a" is no b; write b',
    'server too',
    field(string('s', { maxLength: 9, rules: [matching('^b$', 'is no b; write b')], default: 'a' })),
  ],
  [IT, 'default "c" is not in ["a","b"]', 'server too', field(enumeration('e', ['a', 'b'], { default: 'c' as 'a' }))],
  [
    IT,
    'default "1 Gi" is no size; write 1Gi',
    'server too',
    field(quantity('q', { message: 'is no size; write 1Gi', default: '1 Gi' })),
  ],
  [IT, 'default "1 Gi" does not match pattern', 'server too', field(quantity('q', { default: '1 Gi' }))],
  [
    IT,
    'default has more items than maxItems 1',
    'server too',
    field(list('l', string('s'), { maxItems: 1, default: ['a', 'b'] })),
  ],
  [
    IT,
    'default has fewer items than minItems 1',
    'server too',
    field(list('l', string('s'), { minItems: 1, default: [] })),
  ],
  [
    IT,
    'default[0] 1 is not of type string',
    'server too',
    field(list('l', string('s'), { default: [1 as unknown as string] })),
  ],
  [
    IT,
    'default has more keys than maxProperties 0',
    'server too',
    field(map('m', string('s'), { maxProperties: 0, default: { a: '' } })),
  ],
  [IT, 'default has "a" twice', 'ours', field(set('l', string('s'), { default: ['a', 'a'] }))],
  [
    IT,
    'default has ["a"] twice',
    'ours',
    field(keyedList('l', ['k'], object('o', { k: string('s') }), { default: [{ k: 'a' }, { k: 'a' }] })),
  ],
  [IT, 'default.a is required', 'server too', field(object('o', { a: string('s') }, { default: {} as { a: string } }))],
  [
    IT,
    'default.constructor is not a field',
    'server too',
    field(object('o', {}, { default: { constructor: 1 } as object })),
  ],
  [IT, 'default.b is not a field', 'server too', field(object('o', {}, { default: { b: 1 } as object }))],
  [IT, 'default is null', 'ours', field(string('s', { default: null as unknown as string }))],
];

/** Fields: schemas that are not structural, or limits that make no sense. */
const SCHEMAS: readonly Refusal[] = [
  [IT, 'has no description', 'ours', field(string(' '))],
  [IT, 'has no type', 'server too', raw({ description: 'x' })],
  [IT, 'is a list without an item', 'server too', raw({ description: 'x', type: 'array' })],
  [
    IT,
    'has fields and free keys at once',
    'server too',
    raw({
      description: 'x',
      type: 'object',
      properties: { a: string('a').json },
      additionalProperties: string('b').json,
    }),
  ],
  [IT, 'minimum 2 is more than maximum 1', 'ours', field(integer('n', { minimum: 2, maximum: 1 }))],
  [IT, 'minLength 2 is more than maxLength 1', 'ours', field(string('s', { minLength: 2, maxLength: 1 }))],
  [IT, 'maxLength -1 is not a count', 'ours', field(string('s', { maxLength: -1 }))],
  [IT, 'maximum 2147483648 is not of type integer (int32)', 'ours', field(integer('n', { maximum: 2 ** 31 }))],
  [IT, 'lists a value of its enumeration twice', 'ours', field(enumeration('e', ['a', 'a']))],
  [IT, 'is an enumeration without values', 'ours', field(enumeration('e', [] as unknown as [string]))],
  [IT, 'pattern ( is not a regular expression', 'server too', field(string('s', { pattern: '(' }))],
  [IT, 'uses look-around or a back reference', 'server too', field(string('s', { pattern: '^(?!a)' }))],
  [`${IT}[*]`, 'pattern ( is not', 'server too', field(list('l', string('s', { pattern: '(' })))],
  [`${IT}[*].a`, 'has no description', 'ours', field(map('m', object('o', { a: string('') })))],
];

/** Lists whose keys cannot identify an item. */
const KEYS: readonly Refusal[] = [
  [
    IT,
    'is a set of objects',
    'server too',
    field(set('l', object('o', {}) as unknown as Schema<string, string, 'required'>)),
  ],
  [
    IT,
    'is a keyed list without keys',
    'server too',
    field(keyedList('l', [] as unknown as ['k'], object('o', { k: string('s') }))),
  ],
  [IT, 'names a key twice', 'server too', field(keyedList('l', ['k', 'k'], object('o', { k: string('s') })))],
  [IT, 'key x is not a field', 'server too', field(keyedList('l', ['x' as 'k'], object('o', { k: string('s') })))],
  [
    IT,
    'key k may be absent',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: string('s', { optional: true }) }))),
  ],
  [
    IT,
    'key k is nullable',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: string('s', { nullable: true }) }))),
  ],
  [
    IT,
    'key k is not a scalar',
    'server too',
    field(keyedList('l', ['k' as never], object('o', { k: list('s', string('t')) }))),
  ],
  [
    IT,
    'items of a set are never null',
    'server too',
    field(set('l', string('s', { nullable: true }) as unknown as Schema<string, string, 'required'>)),
  ],
];

const OLD = { rule: 'self == oldSelf', message: 'is immutable' };

/** CEL rules in the wrong form or place. */
const RULES: readonly Refusal[] = [
  [IT, 'has an empty rule', 'server too', ruled({ rule: ' ' })],
  [IT, 'has an empty message;', 'server too', ruled({ message: ' ' })],
  [IT, 'has an empty messageExpression', 'server too', ruled({ messageExpression: ' ' })],
  [IT, 'has a message of several lines', 'server too', ruled({ message: 'a\nb' })],
  [IT, 'has optionalOldSelf but no oldSelf', 'server too', ruled({ optionalOldSelf: true })],
  [IT, 'points at .nowhere', 'server too', ruled({ fieldPath: '.nowhere' })],
  [
    `${IT}[*]`,
    'uses oldSelf inside a list without keys',
    'server too',
    field(list('l', string('s', { rules: [OLD] }))),
  ],
  [
    `${IT}[*].a`,
    'uses oldSelf inside a list',
    'server too',
    field(list('l', object('o', { a: string('s', { rules: [OLD] }) }))),
  ],
  [
    `${IT}[*]`,
    'compares more text than the API server pays for; set maxLength, and maxItems or maxProperties around it',
    'server too',
    field(map('m', string('s', { rules: [OLD] }))),
  ],
  [
    `${IT}[*].a[*]`,
    'compares more text than the API server pays for',
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
    'compares more text than the API server pays for',
    'server too',
    field(keyedList('k', ['b'], object('o', { b: string('s'), a: string('s', { maxLength: 1e6, rules: [OLD] }) }))),
  ],
];

/** Names, versions, columns and the scale subresource. */
const KINDS: readonly Refusal[] = [
  ['things.example', 'is not a domain with a dot', 'server too', kind({ group: 'example' })],
  ['things.apps.k8s.io', 'belongs to Kubernetes', 'server too', kind({ group: 'apps.k8s.io' })],
  [KIND, 'kind thing does not begin with a capital', 'ours', kind({ kind: 'thing' })],
  [KIND, 'name "t_h" is not a DNS label', 'server too', kind({ shortNames: ['t_h'] })],
  [KIND, 'name "A" is not a DNS label', 'server too', kind({ categories: ['A'] })],
  [KIND, 'name things is used twice', 'ours', kind({ shortNames: ['things'] })],
  [KIND, 'version v1 is there twice', 'server too', kind({ versions: [v('v1'), v('v1', { storage: false })] })],
  [KIND, '2 versions are stored (v1, v2)', 'server too', kind({ versions: [v('v1'), v('v2')] })],
  [KIND, '0 versions are stored ()', 'server too', kind({ versions: [v('v1', { storage: false })] })],
  [KIND, 'no version is served', 'ours', version({ served: false })],
  [`${KIND} V1 name`, 'is not a DNS label', 'server too', version({ name: 'V1' })],
  [`${KIND} v1 deprecated`, 'is not 1 to 256 printable', 'server too', version({ deprecated: 'x'.repeat(257) })],
  [`${KIND} v1 deprecated`, 'is not 1 to 256 printable', 'server too', version({ deprecated: 'a\nb' })],
  [`${KIND} v1 column It`, 'spec.it is not a field', 'server too', column('spec.it')],
  [`${KIND} v1 column It`, '.spec.it is not a field', 'ours', column('.spec.it')],
  [`${KIND} v1 column It`, '.metadata.nowhere is not a field', 'ours', column('.metadata.nowhere')],
  [
    `${KIND} v1 column It`,
    '.spec.name is no integer; use string or date',
    'ours',
    version({ ...counts, columns: [{ name: 'It', type: 'integer', jsonPath: '.spec.name' }] }),
  ],
  [
    `${KIND} v1 scale`,
    'specReplicasPath .status.count does not lead to',
    'server too',
    scaled('.status.count', '.status.count'),
  ],
  [`${KIND} v1 scale`, 'specReplicasPath .spec.name does not lead to', 'ours', scaled('.spec.name', '.status.count')],
  [
    `${KIND} v1 scale`,
    'statusReplicasPath .spec.count does not lead to',
    'server too',
    scaled('.spec.count', '.spec.count'),
  ],
  [
    `${KIND} v1 scale`,
    'labelSelectorPath .metadata.name does not',
    'server too',
    scaled('.spec.count', '.status.count', '.metadata.name'),
  ],
];

/** Everything that the language refuses when it runs. */
export const REFUSALS: readonly Refusal[] = [...DEFAULTS, ...SCHEMAS, ...KEYS, ...RULES, ...KINDS];
