import { afterEach, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse } from '../given/house.js';
import { type Widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

/** A house whose Widget is deleted, and may be made anew, in the middle of a pass: with a request of that kind. */
function givenLoss(method: 'create' | 'read', thereafter: (house: GivenHouse) => Promise<unknown>): GivenHouse {
  const loses = (cluster: Cluster): Cluster => {
    const losing =
      <A extends unknown[], T>(send: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        const answer = await send(...args);
        const { metadata } = await house.widget();
        const by = { manager: 'somebody' };
        if (metadata.finalizers)
          await cluster.patch(widgetKind, metadata, [{ op: 'remove', path: '/metadata/finalizers' }], by);
        else await cluster.remove(widgetKind, metadata, { uid: metadata.uid }, {});
        await thereafter(house);
        await settled();
        return answer;
      };
    const same = bound(cluster);
    return { ...same, [method]: losing(same[method] as (...args: unknown[]) => Promise<unknown>) };
  };
  const controller = widgetController({
    // As every author does, it takes what it has made for whole.
    assess: ({ owned }) => {
      const sizes = owned.of(ConfigMap).map((map) => (map as unknown as { data: Record<string, string> }).data['size']);
      return { conditions: { Sized: { reason: sizes.includes('1') ? 'Fits' : 'TooSmall' } } };
    },
  });
  return new GivenHouse({ controller, faults: loses });
}

test.each([
  { what: 'goes', thereafter: async () => {} },
  {
    what: 'goes, and has a successor',
    thereafter: (there: GivenHouse) =>
      there.memory.apply(
        widgetKind,
        {
          apiVersion: 'example.org/v1',
          kind: 'Widget',
          metadata: { name: 'web', namespace: 'team' },
          spec: {},
        } as Widget,
        { manager: 'somebody' },
      ),
  },
])('R25 a pass over a resource that $what meanwhile fails nothing, and says nothing of it', async ({ thereafter }) => {
  house = givenLoss('create', thereafter);
  await house.givenWidget({ maps: { a: { size: '1' } } });
  expect(await house.pass()).not.toContain('apply Widget/status team/web');
});

test.each([
  { when: 'before it has decided', deleted: false },
  { when: 'while it is being deleted', deleted: true },
])('R25 a resource that goes $when has nothing made for it', async ({ deleted }) => {
  house = givenLoss('read', async () => {});
  house.place = { ...house.place, controller: { ...house.place.controller, finalizes: deleted } };
  await house.givenWidget({ maps: { a: { size: '1' } } }, deleted ? { finalizers: ['reconstruct.dev/widget'] } : {});
  if (deleted) await house.removed(widgetKind, 'web');
  house.stores.unconfirmedWrites.note('widget team/web', { kind: ConfigMap, key: 'team/web-a' });
  expect(await house.pass()).toEqual([deleted ? 'patch Widget team/web' : 'remove Widget team/web']);
});
