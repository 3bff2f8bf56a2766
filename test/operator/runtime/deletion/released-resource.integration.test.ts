import { expect, test } from 'vitest';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse, somebody } from '../given/real-house.js';

const house = givenRealHouse({ controller: () => ({ finalizes: true }), hasItsRights: true });

/** The notes of the events `Released` about a resource. */
async function told(name: string): Promise<string[]> {
  const { items } = await house().cluster.list(Event, { namespace: house().namespace });
  return items
    .map((event) => event as unknown as { reason: string; note: string; regarding: { name: string } })
    .filter(({ reason, regarding }) => reason === 'Released' && regarding.name === name)
    .map(({ note }) => note);
}

// The answer and the news that it is gone are two streams: each is the first now and then.
test.each(Array.from({ length: 6 }, (_, index) => `web${index}`))(
  'R28 who lets a resource go is told what is left of it: %s',
  async (name) => {
    const made = await house().apply(name, { maps: { a: {} } });
    const map = `${name}-a`;
    await house().until(() => house().read(ConfigMap, map));
    const at = { namespace: house().namespace, name: map };
    const held = [{ op: 'add', path: '/metadata/finalizers', value: ['example.org/held'] }] as const;
    await house().cluster.patch(ConfigMap, at, held, somebody);
    await house().cluster.remove(house().kind, made.metadata, { uid: made.metadata.uid });
    await house().until(async () => (await house().read(ConfigMap, map))?.metadata.deletionTimestamp);
    const { group } = house().kind;
    const release = `${releaseAnnotation}=${made.metadata.uid}`;
    await house().kubectl(['annotate', `widgets.${group}`, name, '-n', house().namespace, release]);
    await house().until(async () => !(await house().read(house().kind, name)));
    await expect.poll(() => told(name), { timeout: 120_000 }).toEqual([expect.stringContaining(`ConfigMap ${map}`)]);
    await house().cluster.patch(ConfigMap, at, [{ op: 'remove', path: '/metadata/finalizers' }], somebody);
  },
);
