import { expect, it } from 'vitest';
import { defined } from '../../../../operator/runtime/index.js';

it.each<readonly [object, string, object]>([
  [{ a: 1 }, 'a member is undefined', { a: 1, b: undefined }],
  [{ a: null, b: 0, c: '', d: false }, 'members are null or empty', { a: null, b: 0, c: '', d: false }],
  [{ a: { b: undefined } }, 'a member of a member is undefined', { a: { b: undefined } }],
  [{}, 'all members are undefined', { a: undefined }],
])('defined members are %j when %s', (expected, _, members) => {
  expect(Object.entries(defined(members))).toEqual(Object.entries(expected));
});
