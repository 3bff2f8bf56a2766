import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { adoptAnnotation } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { configMap } from '../../../given.js';
import { givenRealHouse, somebody } from '../given/real-house.js';

const house = givenRealHouse();
const dataOf = async (name: string) => (await house().read(ConfigMap, name))?.['data'];
const becomes = (name: string, data: object | undefined) =>
  expect.poll(() => dataOf(name), { timeout: 120_000 }).toEqual(data);
const theirs = (name: string, data: Record<string, string>, annotations = {}) =>
  house().cluster.apply(ConfigMap, configMap(name, { namespace: house().namespace, data, annotations }), somebody);

describe('on a real API server', () => {
  test('R18 own fields are reverted and removed, and fields of others stay', async () => {
    await house().apply('fields', { maps: { a: { size: '1', old: '1' } } });
    await becomes('fields-a', { size: '1', old: '1' });
    await theirs('fields-a', { theirs: '1' });
    await house().apply('fields', { maps: { a: { size: '2' } } });
    await becomes('fields-a', { size: '2', theirs: '1' });
    await theirs('fields-a', { theirs: '1', size: 'theirs' });
    await becomes('fields-a', { size: '2', theirs: '1' });
  });

  test('R23 a name that is taken is left alone until it is handed over', async () => {
    await theirs('taken-a', { theirs: '1' });
    await house().apply('taken', { maps: { a: { size: '1' } } });
    await house().until(async () => (await house().condition('taken', 'Conflicted')) === 'True NotOwned');
    expect(await dataOf('taken-a')).toEqual({ theirs: '1' });
    await theirs('taken-a', { theirs: '1' }, { [adoptAnnotation]: `${house().namespace}/taken` });
    await house().apply('taken', { maps: { a: { size: '2' } } });
    await becomes('taken-a', { size: '2', theirs: '1' });
  });
});
