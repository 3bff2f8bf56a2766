import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withDefaults } from '../../../crds/index.js';
import { canonical } from '../canonical.js';
import { sampleSpec, sampleValue } from '../given-sample.js';
import { DEFAULTS } from './given-defaults.js';

test.each(DEFAULTS)('%s', (_what, written, stored) => {
  expect(withDefaults(sampleSpec, written)).toMatchObject(stored);
});

test('an optional field that is absent or null stays absent', () => {
  const written = { maybe: null as unknown as string };
  expect(withDefaults(sampleSpec, written)).not.toHaveProperty('maybe');
  expect(withDefaults(sampleSpec, {})).not.toHaveProperty('absent');
});

test('undefined counts as absent', () => {
  const stored = withDefaults(sampleSpec, { text: undefined as unknown as string, absent: undefined });
  expect(stored.text).toBe('text');
  expect(Object.keys(stored)).not.toContain('absent');
});

test('__proto__ stays an own key and changes no prototype', () => {
  const mapped = JSON.parse('{"__proto__":{"text":"mine"}}');
  const stored = withDefaults(sampleSpec, { mapped });
  expect(JSON.stringify(stored.mapped)).toBe('{"__proto__":{"text":"mine","nullable":"not null","count":0}}');
  expect(Object.getPrototypeOf(stored.mapped)).toBe(Object.prototype);
});

test('a default is a copy, so that a change to it does not affect another resource', () => {
  const deep = () => (withDefaults(sampleSpec, {}).free as { readonly any: { readonly deep: number[] } }).any.deep;
  deep().push(2);
  expect(deep()).toEqual([1]);
});

test('defaulting keeps set fields and is idempotent', () => {
  fc.assert(
    fc.property(sampleValue, (written) => {
      const before = JSON.stringify(written);
      const stored = withDefaults(sampleSpec, written);
      expect(JSON.stringify(written)).toBe(before);
      expect(canonical(withDefaults(sampleSpec, stored))).toBe(canonical(stored));
    }),
  );
});
