import { expect, it } from 'vitest';
import { Store } from '../../../../operator/runtime/cache/store.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';

const topicsOf = (object: LiveObject): readonly string[] => {
  const { data } = object as { readonly data?: { readonly topic?: string } };
  if (data?.topic === undefined) throw new Error(`${object.metadata.name} has no topic`);
  return [data.topic];
};

const configMap = (name: string, resourceVersion: string, data: object): LiveObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'team', uid: name, resourceVersion },
  ...{ data },
});

it('R34 an index function that throws for an object fails the reads of the index, not the watch, until it does not', () => {
  const store = new Store(ConfigMap);
  const names = () => store.byIndex(topicsOf, 'a').map(({ metadata }) => metadata.name);
  store.told('ADDED', configMap('one', '1', { topic: 'a' }), '');
  expect(names()).toEqual(['one']);
  store.told('ADDED', configMap('two', '2', {}), '');
  expect(names).toThrow('two has no topic');
  store.told('ADDED', configMap('two', '3', { topic: 'a' }), '');
  expect(names()).toEqual(['one', 'two']);
  store.told('ADDED', configMap('three', '4', {}), '');
  store.told('DELETED', configMap('three', '5', {}), '');
  expect(names()).toEqual(['one', 'two']);
});
