import { afterEach, expect, it, test } from 'vitest';
import { hasSafeIntegers } from '../../../../operator/runtime/kubernetes/json.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';

it.each([
  {
    is: true,
    value: { a: [1, 'x', null, { b: 9_007_199_254_740_991 }], c: 0.1, d: -1e-300, e: '1234567890123456789' },
  },
  { is: false, value: { a: [{ b: 9_007_199_254_740_992 }] } },
  { is: false, value: { a: { b: -(2 ** 60) } } },
])('R1 what may be written back as it was read is told: $is', ({ is, value }) => {
  expect(hasSafeIntegers(value)).toBe(is);
});

let house: GivenHouse;
afterEach(() => house?.close());

test.each([
  { what: '5', value: 5, isWhole: true },
  { what: 'beyond 2^53', value: 2 ** 60, isWhole: false },
])('R1 R18 a number of somebody else that is $what is written back with a value of ours: $isWhole', async (row) => {
  const wholes: boolean[] = [];
  house = new GivenHouse();
  const context = house.memory.apply.bind(house.memory);
  house.memory.apply = (kind, object, options) => {
    if (kind === ConfigMap) wholes.push(options.whole !== undefined);
    return context(kind, object, options);
  };
  await house.givenWidget({ maps: { a: { size: '1' } } });
  await house.pass();
  const theirs = [{ op: 'add', path: '/theirs', value: row.value }] as const;
  await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, theirs, somebody);
  const edit = [{ op: 'replace', path: '/data/size', value: '2' }] as const;
  await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, edit, somebody);
  await settled();
  await house.pass();
  expect((await house.read(ConfigMap, 'web-a'))['data']).toEqual({ size: '1' });
  expect(wholes).toEqual([row.isWhole]);
});
