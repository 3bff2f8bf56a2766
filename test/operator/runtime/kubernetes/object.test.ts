import { describe, expect, it } from 'vitest';
import { compareVersions, keyOf, nameOf } from '../../../../operator/runtime/kubernetes/object.js';

describe('a version', () => {
  it.each([
    { is: 'older', a: '9', b: '10' },
    { is: 'older', a: '10', b: '11' },
    { is: 'newer', a: '100000000000000000001', b: '100000000000000000000' },
    { is: 'equal', a: '7', b: '7' },
  ])('$a is $is compared with $b', ({ is, a, b }) => {
    const sign = { older: -1, equal: 0, newer: 1 }[is];
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
    expect(Math.sign(compareVersions(b, a)) + (sign ?? 0)).toBe(0);
  });
});

describe('a key', () => {
  it.each([
    { key: 'team/web', name: { namespace: 'team', name: 'web' } },
    { key: 'web', name: { name: 'web' } },
    { key: 'team/web.example.org', name: { namespace: 'team', name: 'web.example.org' } },
  ])('$key names one object', ({ key, name }) => {
    expect(keyOf(name)).toBe(key);
    expect(nameOf(key)).toEqual(name);
  });
});
