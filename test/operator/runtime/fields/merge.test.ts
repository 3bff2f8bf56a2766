import { describe, expect, it } from 'vitest';
import { contains } from '../../../../operator/runtime/fields/contains.js';
import { merged } from '../../../../operator/runtime/fields/merge.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { configMap, live } from '../../../given.js';

const there = live(configMap('a', {}));
const over = (has: object, wanted: object) => {
  const whole = merged({ ...there, ...has }, { ...configMap('a', {}), ...wanted } as Manifest);
  return (
    whole && Object.fromEntries(Object.keys({ ...has, ...wanted }).map((key) => [key, (whole as object)[key as never]]))
  );
};

/** What a Pod states of which one container is so. */
const containing = (container: object) => ({
  kind: 'Pod',
  spec: { containers: [{ name: 'main', ...container }] },
});

/** Items of a list that is merged by their names. */
const many = (from: number, to: number, value: string) =>
  Array.from({ length: to - from }, (_, index) => ({ name: `n${from + index}`, value }));

describe('an object with the values that are wanted of it', () => {
  const env = (...items: object[]) => containing({ env: items });
  it.each([
    { when: 'a value differs', has: { a: 1, b: 2 }, wanted: { a: 3 }, becomes: { a: 3, b: 2 } },
    {
      when: 'one far below does',
      has: { a: { b: { c: 1, d: 2 } } },
      wanted: { a: { b: { c: 3 } } },
      becomes: { a: { b: { c: 3, d: 2 } } },
    },
    { when: 'a field is missing', has: { a: {} }, wanted: { a: { b: { c: 1 } } }, becomes: { a: { b: { c: 1 } } } },
    { when: 'an empty map is missing', has: { a: {} }, wanted: { a: { data: {} } }, becomes: { a: {} } },
    { when: 'an empty choice is missing', has: { a: {} }, wanted: { a: { b: {} } }, becomes: { a: { b: {} } } },
    { when: 'nothing is wanted of a field', has: { a: 1 }, wanted: { a: undefined }, becomes: { a: 1 } },
    {
      when: 'a quantity is spelled otherwise',
      has: containing({ resources: { limits: { cpu: '1' } } }),
      wanted: containing({ resources: { limits: { cpu: '1000m' } } }),
      becomes: containing({ resources: { limits: { cpu: '1' } } }),
    },
    {
      when: 'an item with a key differs',
      has: env({ name: 'a', value: '1', theirs: 1 }, { name: 'b' }),
      wanted: env({ name: 'a', value: '2' }),
      becomes: env({ name: 'a', value: '2', theirs: 1 }, { name: 'b' }),
    },
    {
      when: 'one is missing',
      has: env({ name: 'b' }),
      wanted: env({ name: 'a' }),
      becomes: env({ name: 'b' }, { name: 'a' }),
    },
    {
      when: 'the first of several is missing',
      has: env({ name: 'x' }, { name: 'b' }),
      wanted: env({ name: 'a' }, { name: 'b' }),
      becomes: env({ name: 'x' }, { name: 'a' }, { name: 'b' }),
    },
    {
      when: 'some are missing, and others are between',
      has: env({ name: 'x' }, { name: 'c' }, { name: 'y' }, { name: 'e' }),
      wanted: env({ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'e' }, { name: 'f' }),
      becomes: env(
        { name: 'x' },
        { name: 'a' },
        { name: 'b' },
        { name: 'c' },
        { name: 'y' },
        { name: 'd' },
        { name: 'e' },
        { name: 'f' },
      ),
    },
    {
      when: 'they are in another order',
      has: env({ name: 'c' }, { name: 'x' }, { name: 'a' }, { name: 'b' }),
      wanted: env({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      becomes: env({ name: 'a' }, { name: 'x' }, { name: 'b' }, { name: 'c' }),
    },
    {
      when: 'they are in another order, and one is missing',
      has: env({ name: 'c' }, { name: 'x' }, { name: 'a' }),
      wanted: env({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      becomes: env({ name: 'a' }, { name: 'x' }, { name: 'b' }, { name: 'c' }),
    },
    {
      when: 'many items differ and many are missing',
      has: env(...many(0, 40, '1')),
      wanted: env(...many(20, 60, '2')),
      becomes: env(...many(0, 20, '1'), ...many(20, 60, '2')),
    },
    {
      when: 'somebody has added to a selector',
      has: { kind: 'Service', spec: { selector: { app: 'a', only: 'b' } } },
      wanted: { kind: 'Service', spec: { selector: { app: 'a' } } },
      becomes: { kind: 'Service', spec: { selector: { app: 'a' } } },
    },
    {
      when: 'a list without keys is the same',
      has: { args: ['a'], b: 1 },
      wanted: { args: ['a'], b: 2 },
      becomes: { args: ['a'], b: 2 },
    },
  ])('is what it was and they are, when $when', ({ has, wanted, becomes }) => {
    expect(over(has, wanted)).toEqual(becomes);
    expect(contains({ apiVersion: 'v1', ...over(has, wanted) }, { apiVersion: 'v1', ...wanted })).toBe(true);
  });

  it.each([
    { when: 'a list without keys differs', has: { args: ['a'] }, wanted: { args: ['b'] } },
    { when: 'a list with keys has items without', has: containing({ env: [1] }), wanted: containing({ env: [2] }) },
    {
      when: 'a list has two items of one key, and one differs',
      has: containing({ env: [{ name: 'a', value: '1' }, { name: 'a', value: '2' }] }), // biome-ignore format: a row
      wanted: containing({ env: [{ name: 'a', value: '1' }, { name: 'a', value: '3' }] }), // biome-ignore format: a row
    },
    {
      when: 'somebody has given a list a second item of a key',
      has: containing({ env: [{ name: 'a', value: '1' }, { name: 'a', value: '2' }] }), // biome-ignore format: a row
      wanted: containing({ env: [{ name: 'a', value: '2' }] }),
    },
    {
      when: 'a list of another kind is called like one with keys',
      has: { kind: 'Gadget', env: [{ name: 'a', value: '1' }] },
      wanted: { kind: 'Gadget', env: [{ name: 'a', value: '2' }] },
    },
    { when: 'a record became a text', has: { a: {} }, wanted: { a: 'x' } },
    { when: 'a text became a record', has: { a: 'x' }, wanted: { a: { b: 1 } } },
    { when: 'a text became a list', has: { a: 'x' }, wanted: { a: ['b'] } },
    { when: 'a text became a number', has: { a: '1' }, wanted: { a: 1 } },
    { when: 'nothing is there', has: { a: null }, wanted: { a: 1 } },
    { when: 'nothing is wanted', has: { a: 1 }, wanted: { a: null } },
    { when: 'nothing is wanted where nothing is', has: {}, wanted: { a: null } },
    {
      when: 'a field is named like a prototype',
      has: {},
      wanted: { a: JSON.parse('{"__proto__":{"b":1}}') },
    },
  ])('is not ours to say when $when', ({ has, wanted }) => {
    expect(over({ a: {}, ...has }, wanted)).toBeUndefined();
  });

  it('says nothing of who owns which field, and leaves what it was made of alone', () => {
    const managed = { ...there, metadata: { ...there.metadata, managedFields: [] } };
    const whole = merged(managed, configMap('a', { data: { a: '1' } }));
    expect(whole).toEqual({ ...there, data: { a: '1' } });
    expect(managed).toHaveProperty('data', {});
  });
});
