import type { InputOf } from '../../../crds/index.js';
import type { sampleSpec } from '../given-sample.js';

type Sample = InputOf<typeof sampleSpec>;

const leaf = { text: 'text', nullable: 'not null', count: 0 };
const hostile = JSON.parse('{"__proto__":{"text":"mine"},"constructor":{},"toString":{"count":1}}');

/** What is written and what is stored, for a field of each kind. */
export const DEFAULTS: readonly (readonly [what: string, written: Sample, stored: object])[] = [
  ['scalars that are absent', {}, { ...leaf, share: 0.5, on: false, one: 'a', size: '1Gi', either: '25%' }],
  ['a scalar that is there stays', { text: '', count: 7 }, { text: '', count: 7 }],
  ['null where null means nothing', { text: null as unknown as string }, { text: 'text' }],
  ['null where null is a value', { nullable: null, nullableBare: null }, { nullable: null, nullableBare: null }],
  ['an object that is absent, filled from within', {}, { filled: leaf }],
  ['an object that is absent, filled from both sides', {}, { partly: { ...leaf, text: 'outer' } }],
  ['an object that is there takes nothing from its default', { partly: {} }, { partly: leaf }],
  ['an optional object that is there', { absent: {} }, { absent: leaf }],
  ['an object that is null', { nullableObject: null }, { nullableObject: null }],
  ['objects in a list', { listed: [{}, { text: 'x' }] }, { listed: [leaf, { ...leaf, text: 'x' }] }],
  ['objects in a default list', {}, { listDefault: [{ ...leaf, text: 'listed' }, leaf] }],
  ['objects in lists in a list', { nested: [[{}], []] }, { nested: [[leaf], []] }],
  ['keys of a keyed list', { keyed: [{ port: 1 }] }, { keyed: [{ port: 1, protocol: 'TCP', leaf }] }],
  ['objects in a map', { mapped: { a: {} } }, { mapped: { a: leaf } }],
  ['nulls in a map of nullable texts', { nullableValues: { a: null } }, { nullableValues: { a: null } }],
  ['free content keeps its nulls', { free: { a: null } }, { free: { a: null } }],
  [
    'names that JavaScript knows',
    { mapped: hostile },
    { mapped: { constructor: leaf, toString: { ...leaf, count: 1 } } },
  ],
];
