import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../operator/index.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap } from '../../given.js';
import { withoutOthersFiles } from './foreign-files.js';

const [operator, person] = [{ manager: 'the-operator' }, { manager: 'a-person' }];
const name = { namespace: 'team', name: 'web' };
const stating = (data?: Record<string, string>) => configMap('web', { namespace: 'team', ...(data && { data }) });

/** The counted files after the operator applied some, a user changed `a`, and the operator applied others. */
async function counted(now: Record<string, string> | undefined, by = person): Promise<unknown> {
  const cluster = new MemoryCluster();
  await cluster.apply(ConfigMap, stating({ a: '1', b: '1' }), operator);
  await cluster.patch(ConfigMap, name, [{ op: 'replace', path: '/data/a', value: '2' }], by);
  const live = await cluster.apply(ConfigMap, stating(now), operator);
  return (withoutOthersFiles(live, stating(now), person.manager) as { data?: unknown }).data;
}

describe('files of a ConfigMap', () => {
  test('that the spec dropped after a person had changed them are his', async () => {
    expect(await counted(undefined)).toBeUndefined();
    expect(await counted({ b: '2' })).toEqual({ b: '2' });
  });

  test('that the spec states count, whoever changed them', async () => {
    expect(await counted({ a: '3' })).toEqual({ a: '3' });
  });

  test('that anybody else wrote count', async () => {
    expect(await counted(undefined, { manager: 'anybody' })).toEqual({ a: '2' });
  });

  test('that the operator has left count, though a person owns them as well', async () => {
    const cluster = new MemoryCluster();
    await cluster.apply(ConfigMap, stating({ a: '1' }), operator);
    const live = await cluster.apply(ConfigMap, stating({ a: '1' }), person);
    expect(withoutOthersFiles(live, stating(), person.manager)).toMatchObject({ data: { a: '1' } });
  });

  test('that nobody owns count', () => {
    const live = { ...stating({ a: '1' }), metadata: { ...name, uid: 'u', resourceVersion: '1' } };
    expect(withoutOthersFiles(live, stating(), person.manager)).toMatchObject({ data: { a: '1' } });
  });

  test('that are stated and wrong count, though a person owns them alone', async () => {
    const cluster = new MemoryCluster();
    await cluster.apply(ConfigMap, stating({ a: '1' }), operator);
    const live = await cluster.patch(ConfigMap, name, [{ op: 'replace', path: '/data/a', value: '2' }], person);
    expect(withoutOthersFiles(live, stating({ a: '1' }), person.manager)).toMatchObject({ data: { a: '2' } });
  });
});
