import { afterEach, expect, it } from 'vitest';
import type { Cluster } from '../../../operator/runtime/cluster.js';
import { bound, GivenHouse } from './given-house.js';

let house: GivenHouse;
afterEach(() => house.close());

it('R24 a status that the API server drops, since the schema of the kind has none, fails the pass', async () => {
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      const answer = await cluster.apply(kind, object, options);
      return options.subresource === 'status' ? { ...answer, status: {} } : answer;
    },
  });
  house = new GivenHouse({ faults });
  await house.givenWidget();
  await expect(house.pass()).rejects.toThrow(
    'the API server dropped what was written of Widget: its schema must have status.conditions and status.observedGeneration',
  );
});
