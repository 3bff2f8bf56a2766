import { afterEach, describe, expect, test } from 'vitest';
import type { Cluster } from '../../../operator/runtime/cluster.js';
import { ApiError } from '../../../operator/runtime/errors.js';
import { ConfigMap, type ObjectKind } from '../../../operator/runtime/kinds.js';
import { bound, GivenHouse, somebody } from './given-house.js';
import { ReachHouse } from './given-reach.js';
import { widgetController, widgetKind } from './given-widgets.js';

const notFound = new ApiError('404 page not found', { code: 404, reason: 'NotFound' });
const controller = widgetController({
  finalizes: true,
  remnants: () => [{ kind: ConfigMap, name: 'web-lead', labels: { keeper: 'web' } }],
} as object);

let house: GivenHouse;
afterEach(() => house.close());

/** For which requests the server knows no path of ConfigMaps. */
let lost: 'list' | 'read' | undefined;
const losing = (cluster: Cluster): Cluster => {
  const unless = <T>(verb: 'list' | 'read', kind: ObjectKind, send: () => Promise<T>): Promise<T> =>
    lost === verb && kind.kind === ConfigMap.kind ? Promise.reject(notFound) : send();
  return {
    ...bound(cluster),
    list: (kind, query) => unless('list', kind, () => cluster.list(kind, query)),
    read: (kind, name, options) => unless('read', kind, () => cluster.read(kind, name, options)),
  };
};

/** A Widget of whose objects one kind of question is asked. */
const cases = [
  { asked: 'what it owns', by: 'list', given: () => givenWidget() },
  {
    asked: 'what is recorded',
    by: 'read',
    given: async () => {
      const reach = new ReachHouse({ faults: losing });
      house = reach;
      await reach.reaching({ maps: ['other/a'] });
      await reach.pass();
      const name = { namespace: 'other', name: 'a' };
      await reach.memory.patch(ConfigMap, name, [{ op: 'remove', path: '/metadata/labels' }], somebody);
    },
  },
  { asked: 'what others made for it', by: 'read', given: () => givenWidget() },
  {
    asked: 'what became of a write',
    by: 'read',
    given: async () => {
      await givenWidget();
      house.stores.doubts.note('widget team/web', { kind: ConfigMap, key: 'team/web-b' });
    },
  },
] as const;

async function givenWidget(): Promise<void> {
  house = new GivenHouse({ controller, faults: losing });
  await house.givenWidget();
  await house.pass();
  await house.removed(ConfigMap, 'web-a');
}

describe.each(cases)('where a server knows no path of a kind when it is asked for $asked', ({ by, given }) => {
  test('R28 a resource stays while the kind counts as served: a proxy may have answered', async () => {
    await given();
    await house.removed(widgetKind, 'web');
    lost = by;
    await expect(house.pass().finally(() => (lost = undefined))).rejects.toBe(notFound);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
  });

  test('R28 a resource goes when the watch has found the same: what there was went with the definition', async () => {
    await given();
    await house.removed(widgetKind, 'web');
    house.close();
    house.stores.of(ConfigMap).clear('');
    lost = by;
    await house.pass().finally(() => (lost = undefined));
    expect(await house.names(widgetKind)).toEqual([]);
  });
});
