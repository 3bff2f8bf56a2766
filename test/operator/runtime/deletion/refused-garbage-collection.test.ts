import { expect, test } from 'vitest';
import { GarbageCollection } from '../../../../operator/runtime/deletion/garbage-collection.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { appliedAnnotation, controllerLabel } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse } from '../given/house.js';

const owner = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid: 'uid-of-before', controller: true };
const left = {
  labels: { [controllerLabel]: 'widget' },
  annotations: { [appliedAnnotation]: 'a' },
  ownerReferences: [owner],
};

test('R22 a namespace whose resources cannot be listed blocks no other', async () => {
  const house = new GivenHouse({
    faults: (cluster) => ({
      ...bound(cluster),
      list: async (kind, query) => {
        if (query.namespace === 'hostile') throw new ApiError('it is forbidden', { code: 403, reason: 'Forbidden' });
        return cluster.list(kind, query);
      },
    }),
  });
  const ending = new AbortController();
  await settled();
  const ended = new GarbageCollection(house.place).run(ending.signal);
  await house.given(ConfigMap, configMap('a', { ...left, namespace: 'hostile' }));
  await house.given(ConfigMap, configMap('b', left));
  await house.clock.advance(600_000);
  const names = await house.names(ConfigMap);
  ending.abort();
  await ended;
  house.close();
  expect(names).toEqual(['hostile/a']);
});

test('R22 an object that cannot be deleted blocks no other', async () => {
  const house = new GivenHouse({
    faults: (cluster) => ({
      ...bound(cluster),
      remove: async (kind, name, ...rest) => {
        if (name.namespace === 'hostile') throw new ApiError('a webhook denies it', { code: 403, reason: 'Forbidden' });
        return cluster.remove(kind, name, ...rest);
      },
    }),
  });
  const ending = new AbortController();
  await settled();
  const ended = new GarbageCollection(house.place).run(ending.signal);
  await house.given(ConfigMap, configMap('a', { ...left, namespace: 'hostile' }));
  await house.given(ConfigMap, configMap('b', left));
  await house.clock.advance(600_000);
  const names = await house.names(ConfigMap);
  ending.abort();
  await ended;
  house.close();
  expect(names).toEqual(['hostile/a']);
});
