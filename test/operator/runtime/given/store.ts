import type { Change } from '../../../../operator/runtime/cache/listeners.js';
import { Store } from '../../../../operator/runtime/cache/store.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { configMap, live } from '../../../given.js';

/** The ConfigMap `a` in some version. */
export function version(resourceVersion: string, metadata: Record<string, unknown> = {}): LiveObject {
  return live(configMap('a'), { resourceVersion, ...metadata });
}

/** A store, and what its listener heard: `before>after`, by version. */
export function givenStore() {
  const store = new Store(ConfigMap);
  const heard: string[] = [];
  const versionOf = (object: LiveObject | undefined) => object?.metadata.resourceVersion ?? '';
  store.listen(({ before, after, initial }: Change) => {
    heard.push(`${versionOf(before)}>${versionOf(after)}${initial ? ' initial' : ''}`);
  });
  store.replace([], '5', '');
  return { store, heard, at: () => store.get('team/a')?.metadata.resourceVersion };
}

/** A write whose answer the test gives. */
export function givenWrite(store: Store) {
  let answer = (_: LiveObject | undefined) => {};
  let fail = (_: Error) => {};
  const send = () =>
    new Promise<LiveObject | undefined>((resolve, reject) => {
      answer = resolve;
      fail = reject;
    });
  const written = store.write('team/a', send);
  return {
    answers: (object: LiveObject | undefined) => {
      answer(object);
      return written;
    },
    fails: (error: Error) => {
      fail(error);
      return written;
    },
  };
}
