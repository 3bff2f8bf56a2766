import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childName, suffixedName } from '../../../src/index.js';

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

describe('the name of an object that belongs to a resource', () => {
  test.each([
    ['the resource’s own', 'reco', 'reco'],
    ['the resource’s own, with 63 characters', `a${'b'.repeat(62)}`, `a${'b'.repeat(62)}`],
    ['shortened, with 64', `a${'b'.repeat(63)}`, `a${'b'.repeat(48)}-x8813ff7d97be`],
    ['without dots', 'reco.v2', 'reco-v2-x630631854c84'],
    ['with a letter in front of a digit', '2fast', 'n2fast-x266bd81a613e'],
    ['another for an owner that looks like a child', 'reco-x0123456789ab', 'reco-x0123456789ab-x846d5e6b33e7'],
  ])('is %s', (_, owner, name) => expect(childName(owner)).toBe(name));

  test('says what it is for before the hash, however long the owner is', () => {
    expect(childName('reco', 'trial')).toMatch(/^reco-trial-x[0-9a-f]{12}$/);
    expect(childName('r'.repeat(253), 'trial')).toMatch(/^r{43}-trial-x[0-9a-f]{12}$/);
    expect(childName('r'.repeat(253), 'trial', 52)).toMatch(/^r{32}-trial-x[0-9a-f]{12}$/);
    expect(childName('r'.repeat(52), undefined, 52)).toBe('r'.repeat(52));
    expect(childName('r'.repeat(53), undefined, 52)).toMatch(/^r{38}-x[0-9a-f]{12}$/);
  });

  test.each([
    ['plain', 'reco', 'trial', /^reco-trial$/],
    ['as long as a label', 'r'.repeat(57), 'trial', /^r{57}-trial$/],
    ['marked by a hash where it would be longer', 'r'.repeat(58), 'trial', /^r{43}-trial-x[0-9a-f]{12}$/],
    ['marked by a hash where the owner is no label', 'reco.v2', 'trial', /^reco-v2-trial-x[0-9a-f]{12}$/],
    [
      'marked by a hash of its own where the owner looks like a child',
      'a-x0123456789ab',
      'b',
      /^a-x0123456789ab-b-x[0-9a-f]{12}$/,
    ],
  ])('of a side is %s', (_, owner, side, name) => expect(suffixedName(owner, side)).toMatch(name));

  test('is never made from a suffix that is no label', () => {
    expect(() => childName('reco', 'a.b')).toThrow(
      'a suffix must be a lower-case label of at most 26 characters, got "a.b"',
    );
    expect(() => childName('reco', 's'.repeat(27))).toThrow('at most 26 characters');
    for (const most of [44, 64, 50.5]) expect(() => childName('reco', 'a', most)).toThrow('45 to 63 characters');
  });

  const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
  const owner = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('.').slice(0, 253)),
    fc.string({ minLength: 1, maxLength: 253, unit: 'grapheme' }),
  );
  type Pair = [owner: string, suffix: string | undefined];
  const suffix = fc.option(fc.stringMatching(/^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$/), { nil: undefined });

  test('is valid for every kind and any name of the owner', () => {
    fc.assert(
      fc.property(owner, suffix, (resource, of) => {
        expect(childName(resource, of)).toMatch(label);
      }),
    );
  });

  test('R34 is no other object’s, even of owners called like children of others', () => {
    const children = fc.array(fc.tuple(owner, suffix), { minLength: 1, maxLength: 20 }).map((pairs): Pair[] => {
      const posing = pairs.map(([resource, of]): Pair => [childName(resource, of), undefined]);
      return [...pairs, ...posing];
    });
    fc.assert(
      fc.property(children, (pairs) => {
        const different = new Map(pairs.map((one) => [JSON.stringify(one), childName(...one)]));
        expect(new Set(different.values()).size).toBe(different.size);
      }),
    );
  });
});
