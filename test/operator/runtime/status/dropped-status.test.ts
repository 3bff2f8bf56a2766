import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound, GivenHouse } from '../given/house.js';
import { failure } from '../given/scripted-cluster.js';
import { widgetController } from '../given/widgets.js';

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
    'the API server dropped the status of Widget: its schema must have status.conditions and status.observedGeneration',
  );
});

describe('a status of which the server says that the resource is not found', () => {
  const notFound = new ApiError('PATCH …/web/status: widgets "web" not found', {
    ...{ code: 404, reason: 'NotFound', missing: 'web' },
  });
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      if (options.subresource === 'status') throw notFound;
      return cluster.apply(kind, object, options);
    },
  });

  const controller = widgetController({ finalizes: true });

  it('R24 fails the pass with what to do when the resource is there: its definition lacks the subresource', async () => {
    house = new GivenHouse({ faults, controller });
    await house.givenWidget();
    await expect(house.pass()).rejects.toThrow(
      'PATCH …/web/status: widgets "web" not found: the Widget exists, so its CRD has no subresources.status: add it',
    );
  });

  it('R24 is not looked into by a controller without a finalizer, which has no right to read its resources', async () => {
    let reads = 0;
    const read = async () => {
      reads++;
      return undefined;
    };
    house = new GivenHouse({ faults: (cluster) => ({ ...faults(cluster), read }) });
    await house.givenWidget();
    await expect(house.pass()).rejects.toBe(notFound);
    expect(reads).toBe(0);
  });

  it.each([
    { when: 'the resource is gone', read: async () => undefined },
    { when: 'it may not be read', read: () => Promise.reject(failure(403, 'Forbidden')) },
  ])('R24 is no more than news when $when', async ({ read }) => {
    house = new GivenHouse({ faults: (cluster) => ({ ...faults(cluster), read }), controller });
    await house.givenWidget();
    await expect(house.pass()).rejects.toBe(notFound);
  });
});
