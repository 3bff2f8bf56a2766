import { expect, it } from 'vitest';
import { Stores } from '../../../../operator/runtime/cache/stores.js';
import { partialOf } from '../../../../operator/runtime/kubernetes/partial-metadata.js';
import { referencedObjects } from '../../../../operator/runtime/observe/referenced-objects.js';
import { type Loose, live } from '../../../given.js';
import { reader, readerController } from '../given/readers.js';

it('an object with the labels that changes while it is listed does not count as absent', async () => {
  const at = (resourceVersion: string) =>
    live({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { colour: 'red' } },
      metadata: { name: 'tint', namespace: 'team', uid: 'u', labels: { theme: 'dark' }, resourceVersion },
    });
  const stores = new Stores();
  const { themes } = readerController.reads as Loose<object>;
  const store = stores.read(themes.kind);
  store.told('ADDED', partialOf(at('1')), 'team');
  const list = async () => {
    store.told('MODIFIED', partialOf(at('2')), 'team');
    return { items: [at('1')], metadata: {} };
  };
  const context: Loose<object> = {
    controller: { ...readerController, reads: { themes } },
    cluster: { list },
    stores: {
      read: () => store,
      reading: () => ({ follow: () => undefined }),
      watched: { isKnown: () => true, namespacesBeside: () => undefined },
    },
  };
  const seen = (await referencedObjects(
    reader('web', { theme: 'dark' }) as never,
    context as never,
    {},
  )) as Loose<object>;
  expect(seen['themes'].map(({ data }: Loose) => data.colour)).toEqual(['red']);
});
