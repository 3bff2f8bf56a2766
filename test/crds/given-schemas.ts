import fc from 'fast-check';
import {
  boolean,
  enumeration,
  type Fields,
  immutable,
  integer,
  intOrString,
  keyedList,
  list,
  map,
  number,
  object,
  preserved,
  quantity,
  type Schema,
  set,
  string,
} from '../../crds/index.js';

// Built without the compiler's help, as a careless author would: the checks at run time must catch the rest.
type Loose = Schema<never, never, never> & Schema<string, string, 'required'>;
const build = (schema: Schema) => schema as unknown as Loose;

const presence = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(fc.constant({}), fc.constant({ optional: true as const }), fc.record({ default: value }));
const sometimes = (options: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(options, { requiredKeys: [] });
const bound = fc.integer({ min: -3, max: 6 });
const size = fc.integer({ min: 0, max: 4 });
const text = fc.constantFrom('', 'a', 'ab', 'abcde');
const rules = fc.constantFrom<object>({}, { rules: [immutable()] }, { rules: [{ rule: 'true', message: 'never' }] });
const nullable = fc.constantFrom<object>({}, { nullable: true });
const merged = (...parts: readonly fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((options) => Object.assign({}, ...options) as object);

const scalar: fc.Arbitrary<Schema> = fc.oneof(
  merged(
    sometimes({ minLength: size, maxLength: size, pattern: fc.constantFrom('^a', '(', '[a-z]+$') }),
    presence(text),
    rules,
    nullable,
  ).map((options) => build(string('s', options))),
  merged(sometimes({ minimum: bound, maximum: bound }), presence(bound), rules, nullable).map((options) =>
    build(integer('i', options)),
  ),
  merged(sometimes({ minimum: bound, maximum: bound }), presence(fc.constantFrom(0.5, 3)), rules).map((options) =>
    build(number('n', options)),
  ),
  merged(presence(fc.boolean()), nullable).map((options) => build(boolean('b', options))),
  presence(fc.constantFrom('a', 'b')).map((options) => build(enumeration('e', ['a', 'b'], options as object))),
  presence(fc.constantFrom('1Gi', 2, 'many')).map((options) => build(quantity('q', options))),
  presence(fc.constantFrom('25%', 2)).map((options) => build(intOrString('i', options))),
  presence(fc.constantFrom({}, { a: [1] })).map((options) => build(preserved('p', options))),
);

/** Fields to any depth, sound and unsound. */
export const anyFields: fc.Arbitrary<Fields> = fc.letrec<{ field: Schema; fields: Fields }>((tie) => ({
  fields: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('field'), { maxKeys: 3 }),
  field: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'field' },
    { weight: 3, arbitrary: scalar },
    fc
      .tuple(tie('fields'), merged(presence(fc.constant({})), rules, nullable))
      .map(([fields, options]) => build(object('o', fields, options))),
    fc
      .tuple(tie('field'), merged(sometimes({ minItems: size, maxItems: size }), presence(fc.constant([]))))
      .map(([item, options]) => build(list('l', build(item), options))),
    fc
      .tuple(scalar, presence(fc.constantFrom(['a'], [])))
      .map(([item, options]) => build(set('l', build(item), options as object))),
    fc
      .tuple(tie('fields'), fc.constantFrom('a', 'b'))
      .map(([fields, key]) => build(keyedList('k', [key as never], object('o', { ...fields, b: string('key') })))),
    fc
      .tuple(tie('field'), merged(sometimes({ maxProperties: size }), presence(fc.constant({}))))
      .map(([value, options]) => build(map('m', build(value), options))),
  ),
})).fields;
