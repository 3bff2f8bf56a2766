import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { pausedAnnotation } from '../../../../operator/runtime/kubernetes/pause.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { type WidgetSpec, widget, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given?.close());
const spec: WidgetSpec = { maps: { a: { size: '1' } } };
const edit: WidgetSpec = { maps: { a: { size: '2' } } };
const paused = { annotations: { [pausedAnnotation]: 'true' } };
const say = (wanted: WidgetSpec, metadata: object = {}) => given.given(widgetKind, widget('web', wanted, metadata));
const sizes = async () =>
  (await given.memory.list(ConfigMap, {})).items.map((map) => `${map.metadata.name} ${(map as Loose)['data']?.size}`);
const removed = async (name: string) => {
  const live = await given.memory.read(ConfigMap, { namespace: 'team', name });
  await given.memory.remove(ConfigMap, { namespace: 'team', name }, { uid: live?.metadata.uid ?? '' });
  await settled();
};
/** Another process, and what happens while none runs. */
const restart = async (between?: () => Promise<unknown>) => {
  const { memory } = given;
  await given.close();
  given = new GivenOperator({}, memory);
  await between?.();
  await given.start();
};

describe('a pause after a rejected spec', () => {
  it('ends with the spec that is applied then, which no later process replaces by an older one', async () => {
    given = await new GivenOperator().start();
    await say(spec);
    await say({ rejected: 'no' });
    await say(edit, paused);
    await say(edit);
    expect(await sizes()).toEqual(['web-a 2']);
    await restart(() => say({ rejected: 'again' }));
    expect(await sizes()).toEqual(['web-a 2']);
    await restart();
    expect(await sizes()).toEqual(['web-a 2']);
  });

  it.each([{ isRestarted: false }, { isRestarted: true }])(
    'keeps what runs, after an edit and another rejection, with restarts $isRestarted',
    async ({ isRestarted }) => {
      given = await new GivenOperator().start();
      await say(spec);
      await say({ rejected: 'no' });
      await say(edit, paused);
      if (isRestarted) await restart();
      await say({ rejected: 'again' }, paused);
      await removed('web-a');
      await say({ rejected: 'again' });
      expect(await sizes()).toEqual(['web-a 1']);
    },
  );
});

it('a paused resource observes no generation that is not applied, if its status was refused', async () => {
  let refused = 0;
  const refusing = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      if (refused-- > 0 && options.subresource === 'status') throw failure(403, 'Forbidden');
      return cluster.apply(kind, object, options);
    },
  });
  given = await new GivenOperator({ faults: refusing }).start();
  await say(spec);
  refused = 1;
  await say(edit, paused);
  expect((await given.widget())?.['status'].observedGeneration).toBe(1);
});
