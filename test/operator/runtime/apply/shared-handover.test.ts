import { afterEach, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { adoptAnnotation } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';
import { bound, somebody } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { sharing } from '../given/shared.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it.each([true, false])(
  'what is handed over to be shared, and is edited between the two writes (%s), is taken over in the end',
  async (edited) => {
    let once = edited;
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      apply: async (kind, object, options) => {
        if (kind.kind === 'ConfigMap' && once) {
          once = false;
          await cluster.apply(
            ConfigMap,
            configMap('common', { annotations: { [adoptAnnotation]: 'team/web' }, data: { other: 'x' } }),
            somebody,
          );
        }
        return cluster.apply(kind, object, options);
      },
    });
    given = await new GivenOperator({ controllers: [widgetController(sharing)], faults }).start();
    await given.given(
      ConfigMap,
      configMap('common', { annotations: { [adoptAnnotation]: 'team/web' }, data: { other: 'y' } }),
    );
    await given.given(widgetKind, widget('web', { size: '1' } as never));
    for (let minute = 0; minute < 60; minute++) {
      await given.clock.advance(60_000);
      given.memory.bookmark();
      await given.clock.advance(0);
    }

    expect(await given.memory.read(ConfigMap, { namespace: 'team', name: 'common' })).toMatchObject({
      data: { size: '1' },
    });
  },
);
