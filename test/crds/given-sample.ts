import fc from 'fast-check';
import {
  boolean,
  defineKind,
  enumeration,
  type InputOf,
  integer,
  intOrString,
  keyedList,
  list,
  map,
  number,
  object,
  preserved,
  quantity,
  set,
  string,
} from '../../crds/index.js';

const leaf = {
  text: string('A text.', { default: 'text' }),
  maybe: string('A text or nothing.', { optional: true }),
  nullable: string('A text or null.', { nullable: true, default: 'not null' }),
  nullableBare: integer('A number or null.', { nullable: true, optional: true }),
  count: integer('A number.', { format: 'int64', default: 0 }),
};

/** A spec with every kind of field, and defaults at every depth. */
export const sampleSpec = object('Every kind of field.', {
  ...leaf,
  share: number('A share.', { default: 0.5 }),
  on: boolean('A switch.', { default: false }),
  one: enumeration('One of two.', ['a', 'b'], { default: 'a' }),
  size: quantity('A size.', { default: '1Gi' }),
  either: intOrString('A number or a share.', { default: '25%' }),
  free: preserved('Anything.', { default: { any: { deep: [1] } } }),
  filled: object('Filled from within.', leaf, { default: {} }),
  partly: object('Filled from within and without.', leaf, { default: { text: 'outer' } }),
  absent: object('Filled only if there.', leaf, { optional: true }),
  nullableObject: object('An object or null.', leaf, { nullable: true, default: {} }),
  listed: list('Objects.', object('An object.', leaf), { optional: true }),
  listDefault: list('Objects.', object('An object.', leaf), { default: [{ text: 'listed' }, {}] }),
  nested: list('Lists.', list('Objects.', object('An object.', leaf)), { optional: true }),
  names: set('Names.', string('A name.'), { default: ['x', 'y'] }),
  keyed: keyedList(
    'Ports.',
    ['port', 'protocol'],
    object('A port.', {
      port: integer('The number.'),
      protocol: string('The protocol.', { default: 'TCP' }),
      leaf: object('More.', leaf, { default: {} }),
    }),
    { optional: true },
  ),
  mapped: map('Objects by name.', object('An object.', leaf), { optional: true }),
  mapDefault: map('Texts by name.', string('A text.'), { default: { a: 'b' } }),
  nullableValues: map('Texts or nulls.', string('A text.', { nullable: true }), { optional: true }),
});

/** A kind with that spec. */
export const sample = defineKind({
  group: 'testing.example.com',
  kind: 'Sample',
  scope: 'Cluster',
  versions: [{ name: 'v1', served: true, storage: true, description: 'A sample.', spec: sampleSpec }],
});

const key = fc.constantFrom('a', 'b', 'text', '__proto__', 'constructor', 'toString', 'hasOwnProperty');
const text = fc.constantFrom('', 'x', 'null');
const count = fc.integer({ min: -5, max: 5 });
/** A field that is there, is null, or is not. */
const loose = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: value }, fc.constant(null));
const dictionary = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 2 });

const leafValue = fc.record(
  { text: loose(text), maybe: loose(text), nullable: loose(text), nullableBare: loose(count), count: loose(count) },
  { requiredKeys: [] },
);
const port = fc.record(
  { port: fc.integer({ min: 1, max: 9 }), protocol: loose(text), leaf: loose(leafValue) },
  { requiredKeys: ['port'] },
);

/** Specs that the API server takes, with fields absent and null at random. */
export const sampleValue = fc.record(
  {
    text: loose(text),
    maybe: loose(text),
    nullable: loose(text),
    nullableBare: loose(count),
    count: loose(count),
    share: loose(fc.constantFrom(0, 0.25, 1)),
    on: loose(fc.boolean()),
    one: loose(fc.constantFrom('a', 'b')),
    size: loose(fc.constantFrom('1', 1, '500m')),
    either: loose(fc.constantFrom('1%', 1)),
    free: loose(dictionary(fc.constantFrom<unknown>(null, 1, 'x', [null], { a: null }))),
    filled: loose(leafValue),
    partly: loose(leafValue),
    absent: loose(leafValue),
    nullableObject: loose(leafValue),
    listed: loose(some(leafValue)),
    listDefault: loose(some(leafValue)),
    nested: loose(some(some(leafValue))),
    names: loose(fc.uniqueArray(text)),
    keyed: loose(fc.uniqueArray(port, { maxLength: 2, selector: (it) => it.port })),
    mapped: loose(dictionary(leafValue)),
    mapDefault: loose(dictionary(text)),
    nullableValues: loose(dictionary(loose(text))),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<InputOf<typeof sampleSpec>>;
