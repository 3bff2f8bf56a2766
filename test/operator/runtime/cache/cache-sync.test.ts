import { afterEach, expect, test, vi } from 'vitest';
import { CacheSync } from '../../../../operator/runtime/cache/cache-sync.js';
import { Stores } from '../../../../operator/runtime/cache/stores.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

afterEach(() => void vi.restoreAllMocks());

/** Two Widgets before the first list of ConfigMaps. */
function given() {
  const stores = new Stores();
  let tell = () => {};
  const whenSynced = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const watch = { store: stores.of(ConfigMap), namespace: '', synced: false, missing: false, whenSynced };
  stores.watched.add({ ...watch, whenKnown: new Promise(() => {}) });
  const items = ['a', 'b'].map((name) => widget(name, undefined, { uid: name, resourceVersion: '1' }));
  stores.of(widgetKind).replace(items as never, '1', '');
  const survey = new CacheSync({ controller: widgetController(), stores });
  const heard: string[] = [];
  survey.listen((key) => heard.push(key));
  return { survey, heard, tell };
}

test('R34 those that were not admitted are told of when more is known, but for what is gone', async () => {
  const { survey, heard, tell } = given();
  expect(['team/a', 'team/b'].map((key) => survey.admits(key))).toEqual([false, false]);
  survey.forget('team/a');
  tell();
  await settled();
  expect(heard).toEqual(['team/b']);
});

test('R34 a controller that is not concerned any more with what is gone forgets it all the same', async () => {
  const forget = vi.spyOn(CacheSync.prototype, 'forget');
  const operator = await new GivenOperator({
    controllers: [
      widgetController(),
      widgetController({
        name: 'second',
        owns: [],
        conditions: {},
        statusFields: [],
        secondaryFor: () => true,
      } as object),
    ],
  }).start();
  const { metadata } = await operator.given(widgetKind, widget('web'));
  expect(forget).not.toHaveBeenCalled();
  await operator.memory.remove(widgetKind, metadata, { uid: metadata.uid });
  await operator.close();
  expect(forget.mock.calls).toEqual([['team/web'], ['team/web']]);
});
