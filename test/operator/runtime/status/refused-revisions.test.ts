import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';

let house: GivenHouse;
afterEach(() => house.close());

test('R27 mends by the last accepted spec as soon as it may be read', async () => {
  let mayList = true;
  house = new GivenHouse({
    faults: (cluster) => ({
      ...bound(cluster),
      list: async (kind, query) => {
        if (!mayList && kind.kind === 'ControllerRevision')
          throw new ApiError('may not', { code: 403, reason: 'Forbidden' });
        return cluster.list(kind, query);
      },
    }),
  });
  await house.givenWidget({ maps: { a: { size: '1' } } });
  await house.pass();
  await house.givenWidget({ maps: { a: { size: '1' } }, rejected: 'no' });
  await house.pass();
  house.restart();
  mayList = false;
  await house.pass();
  mayList = true; // somebody grants the right
  const edit = [{ op: 'replace', path: '/data/size', value: 'edited' }] as const;
  await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, edit, somebody);
  await settled();
  for (let n = 0; n < 3; n++) await house.pass();
  expect((await house.read(ConfigMap, 'web-a'))['data']).toEqual({ size: '1' });
});
