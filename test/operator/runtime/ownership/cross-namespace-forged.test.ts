import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { appliedAnnotation } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { ownerAnnotation } from '../../../../operator/runtime/ownership/ownership-labels.js';
import { configMap } from '../../../given.js';
import { ReachHouse } from '../given/reach.js';
import { widget, widgetKind } from '../given/widgets.js';

let house: ReachHouse;
beforeEach(() => {
  house = new ReachHouse();
});
afterEach(() => house.close());

const web = { namespace: 'team', name: 'web' };

describe('a forged claim', () => {
  test.each([
    {
      forged: 'an inventory that names what is not ours',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await house.annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: "an inventory that names another resource's object",
      act: async () => {
        await house.given(widgetKind, widget('rich', { maps: ['kube-system/theirs'] } as object));
        await house.pass('team/rich');
        await house.annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: 'an object that claims to be ours',
      act: async () => {
        const { metadata } = await house.widget();
        const annotations = {
          [ownerAnnotation]: `Widget.example.org team/web ${metadata.uid}`,
          [appliedAnnotation]: 'x.y',
        };
        const labels = { 'reconstruct.dev/controller': 'widget' };
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system', labels, annotations }));
      },
    },
    {
      forged: 'an inventory that names what bears our label alone',
      act: async () => {
        const labels = { 'reconstruct.dev/controller': 'widget' };
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system', labels }));
        await house.annotate(widgetKind, web, { [inventoryAnnotation]: '{"ConfigMap":["kube-system/theirs"]}' });
      },
    },
    {
      forged: 'an inventory of a kind whose objects are never distant',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await house.annotate(widgetKind, web, { [inventoryAnnotation]: '{"Secret":["team/web-near"],"Pod":["a/b"]}' });
      },
    },
    {
      forged: 'an inventory that is none',
      act: async () => {
        await house.given(ConfigMap, configMap('theirs', { namespace: 'kube-system' }));
        await house.annotate(widgetKind, web, { [inventoryAnnotation]: '["__proto__"' });
      },
    },
  ])('R22 deletes nothing, and comes to rest: $forged', async ({ act }) => {
    await house.reaching({});
    await house.pass();
    await act();
    for (let n = 0; n < 3; n++) await house.pass();
    expect(await house.pass()).toEqual([]);
    expect(await house.names(ConfigMap)).toContain('kube-system/theirs');
    await house.removeWidget();
    await house.pass();
    expect(await house.names(widgetKind)).not.toContain('team/web');
    expect(await house.names(ConfigMap)).toContain('kube-system/theirs');
  });

  test('R28 of a finalizer that a backup brought back does not hold the resource for ever', async () => {
    await house.reaching({}, { finalizers: ['reconstruct.dev/widget'] });
    await house.pass();
    await house.removeWidget();
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
  });
});
