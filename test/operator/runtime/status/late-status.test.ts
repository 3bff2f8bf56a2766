import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house?.close());

/** What happens on the API server just before the status of a reconcile reaches it. */
let before: (() => Promise<unknown>) | undefined;

const late = (cluster: Cluster): Cluster => ({
  ...bound(cluster),
  apply: async (kind, object, options) => {
    if (options.subresource === 'status') {
      const act = before;
      before = undefined;
      await act?.();
    }
    return cluster.apply(kind, object, options);
  },
});

async function given(): Promise<void> {
  house = new GivenHouse({ faults: late });
  await house.givenWidget({ maps: { a: {} } });
  await house.pass();
  await house.givenWidget({ maps: { a: {}, b: {} } });
}

const statusWritten = (status: object) => () => {
  const object = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'web', namespace: 'team' }, status };
  return house.memory.apply(widgetKind, object as never, { manager: 'reconstruct-widget', subresource: 'status' });
};

describe('a status that reaches the API server late', () => {
  it('does not undo what another process of the operator has noted since', async () => {
    await given();
    const { observedGeneration, conditions } = (await house.widget())['status'];
    before = statusWritten({ observedGeneration, conditions, size: 7 });
    await expect(house.pass()).rejects.toThrow('resourceVersion');
    expect((await house.widget())['status'].size).toBe(7);
  });

  it('is written over an edit of the spec', async () => {
    await given();
    before = () =>
      house.memory.apply(
        widgetKind,
        {
          apiVersion: 'example.org/v1',
          kind: 'Widget',
          metadata: { name: 'web', namespace: 'team', labels: { edited: 'true' } },
          spec: { maps: { a: {}, b: {} } },
        } as never,
        somebody,
      );
    await house.pass();
    expect((await house.widget())['status'].size).toBe(2);
  });
});

it('a controller cannot return a field of the status that the runtime writes', async () => {
  const controller = widgetController({ assess: () => ({ conditions: {}, status: { retryCount: 3 } }) } as object);
  house = new GivenHouse({ controller });
  await house.givenWidget({ maps: { a: {} } });
  await expect(house.pass()).rejects.toThrow('returned status.retryCount, which the runtime writes: rename it');
});
