import { afterEach, describe, expect, test } from 'vitest';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { ReachHouse } from '../given/reach.js';
import { widgetController, widgetKind } from '../given/widgets.js';

const notFound = new ApiError('404 page not found', { code: 404, reason: 'NotFound' });
const away = new ApiError('the service is away', { code: 503, reason: 'ServiceUnavailable' });
const controller = widgetController({
  finalizes: true,
  foreignLeftovers: () => [{ kind: ConfigMap, name: 'web-lead', labels: { keeper: 'web' } }],
} as object);

let house: GivenHouse;
afterEach(() => house.close());

/** For which requests the server knows no path of ConfigMaps. */
let lost: 'list' | 'read' | undefined;
/** In which versions it serves them then, by its discovery. */
let discovered: () => Promise<readonly string[]>;
const losing = (cluster: Cluster): Cluster => {
  const unless = <T>(verb: 'list' | 'read', kind: ObjectKind, send: () => Promise<T>): Promise<T> =>
    lost === verb && kind.kind === ConfigMap.kind ? Promise.reject(notFound) : send();
  return {
    ...bound(cluster),
    list: (kind, query) => unless('list', kind, () => cluster.list(kind, query)),
    read: (kind, name, options) => unless('read', kind, () => cluster.read(kind, name, options)),
    discover: () => discovered(),
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
      house.stores.unconfirmedWrites.note('widget team/web', { kind: ConfigMap, key: 'team/web-b' });
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

  /** One pass over the Widget, which is being deleted, when the watch has found no path of the kind either. */
  const passUnwatched = async (versions: typeof discovered) => {
    await given();
    await house.removed(widgetKind, 'web');
    house.close();
    house.stores.of(ConfigMap).clear('');
    lost = by;
    discovered = versions;
    await house.pass().finally(() => (lost = undefined));
  };

  test('R28 a resource goes when no version of the kind is served: what there was went with the definition', async () => {
    await passUnwatched(async () => []);
    expect(await house.names(widgetKind)).toEqual([]);
  });

  test.each([
    {
      when: 'the kind is served in other versions, where its objects are still there',
      versions: async () => ['v2', 'v3'],
      says: 'ConfigMap is no longer served in v1, but in v2, v3: its objects may still exist; serve v1 again',
    },
    {
      when: 'the discovery is not found either',
      versions: () => Promise.reject(notFound),
      says: 'cannot determine whether ConfigMap is gone or unreachable: 404 page not found',
    },
    { when: 'the discovery cannot be read', versions: () => Promise.reject(away), says: away.message },
    { when: 'the kind is served by now', versions: async () => ['v1'], says: notFound.message },
  ])('R22 R28 a resource stays, and says why, when $when', async ({ versions, says }) => {
    await expect(passUnwatched(versions)).rejects.toThrow(says);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
    expect((await house.widget()).metadata.finalizers).toEqual(['reconstruct.dev/widget']);
  });
});

test('R28 a write in doubt of a kind that is not served any more keeps no resource that a person lets go', async () => {
  await givenWidget();
  house.stores.unconfirmedWrites.note('widget team/web', { kind: ConfigMap, key: 'team/web-b' });
  const { uid } = (await house.widget()).metadata;
  await house.givenWidget(undefined, { annotations: { [releaseAnnotation]: uid } });
  await house.removed(widgetKind, 'web');
  house.close();
  house.stores.of(ConfigMap).clear('');
  lost = 'read';
  discovered = async () => ['v2'];
  await house.pass().finally(() => (lost = undefined));
  expect(await house.names(widgetKind)).toEqual([]);
});
