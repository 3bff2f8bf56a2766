import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import { sharing } from '../given/shared.js';

const house = givenRealHouse({ hasItsRights: true, controller: () => sharing });

const common = () => house().read(ConfigMap, 'common');
const owners = async () => (await common())?.metadata.ownerReferences?.map(({ name }) => name).toSorted();
const remove = (name: string) =>
  house().kubectl(['delete', `widgets.${house().kind.group}`, name, '-n', house().namespace, '--timeout=120s']);
/** The garbage collector looks for new kinds every half a minute. */
const owned = (names: readonly string[] | undefined) => expect.poll(owners, { timeout: 120_000 }).toEqual(names);

describe('on a real API server, what several resources own together', () => {
  test('R22 is mended by its owners, outlives each of them but the last, and is taken with that by the garbage collector', async () => {
    const wanted = { size: 'a' } as object;
    await Promise.all(['api', 'web'].map((name) => house().apply(name, wanted)));
    await owned(['api', 'web']);
    const uid = (await common())?.metadata.uid;

    const name = { namespace: house().namespace, name: 'common' };
    await house().cluster.patch(ConfigMap, name, [{ op: 'replace', path: '/data/size', value: 'else' }], somebody);
    await expect.poll(async () => (await common())?.['data'], { timeout: 120_000 }).toEqual({ size: 'a' });
    await house().cluster.patch(ConfigMap, name, [{ op: 'remove', path: '/metadata/ownerReferences/0' }], somebody);
    await owned(['api', 'web']);

    await remove('web');
    await owned(['api']);
    expect((await common())?.metadata.uid).toBe(uid);
    await remove('api');
    await owned(undefined);
  }, 300_000);
});
