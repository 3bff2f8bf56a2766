import { afterEach, beforeEach, expect, test } from 'vitest';
import { objectIn } from '../../../../operator/cluster/answers.js';
import { pathOf } from '../../../../operator/cluster/paths.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole } from '../../../../operator/runtime/kubernetes/kinds.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { bound } from '../given/house.js';
import { ReachHouse } from '../given/reach.js';
import { widgetKind } from '../given/widgets.js';

let house: ReachHouse;
beforeEach(() => {
  house = new ReachHouse({
    faults: (cluster) => ({
      ...bound(cluster),
      // As the API server does: what ends in a slash is the list, and a name that is no segment of a path is a bad request.
      read: async (kind, name, options) => {
        const path = pathOf(kind, name);
        if (path.endsWith('/'))
          return objectIn({ kind: `${kind.kind}List`, metadata: { resourceVersion: '1' }, items: [] }, `GET ${path}`);
        if (name.name === '.' || name.name === '..' || /[/%]/.test(name.name))
          throw new ApiError('invalid name', { code: 400, reason: 'BadRequest' });
        return cluster.read(kind, name, options);
      },
    }),
  });
});
afterEach(() => house.close());

test.each(['""', '"."', '".."', '"a%b"', '"x/y/z"'])(
  'R22 a forged inventory of ClusterRole %s comes to rest',
  async (key) => {
    await house.reaching({ roles: ['c'] });
    await house.pass();
    await house.annotate(
      widgetKind,
      { namespace: 'team', name: 'web' },
      {
        [inventoryAnnotation]: `{"ClusterRole.rbac.authorization.k8s.io":["c",${key}]}`,
      },
    );
    await house.pass();
    expect(await house.pass()).toEqual([]);
    await house.annotate(
      widgetKind,
      { namespace: 'team', name: 'web' },
      {
        [inventoryAnnotation]: `{"ClusterRole.rbac.authorization.k8s.io":["c",${key}]}`,
      },
    );
    await house.removeWidget();
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.names(ClusterRole)).toEqual([]);
  },
);

test('R22 R34 a forged inventory that is longer than ours may be comes to rest', async () => {
  await house.reaching({ roles: ['c'] });
  await house.pass();
  const keys = Array.from({ length: 4_000 }, (_, n) => `x/${'y'.repeat(50)}${n}`);
  await house.annotate(
    widgetKind,
    { namespace: 'team', name: 'web' },
    {
      [inventoryAnnotation]: JSON.stringify({ ConfigMap: keys, 'ClusterRole.rbac.authorization.k8s.io': ['c'] }),
    },
  );
  await house.reaching({ roles: ['c', 'd'] });
  await house.pass();
  expect(await house.names(ClusterRole)).toEqual(['c', 'd']);
});
