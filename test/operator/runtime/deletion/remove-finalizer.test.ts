import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { Deafness } from '../given/deaf.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

const web = { namespace: 'team', name: 'web' };
const unheard = { reason: 'Conflict', message: 'ConfigMap web-a exists, but no watch has reported it' };
const broken = new ApiError('something went wrong', { code: 500, reason: 'InternalError' });

describe('a process that took over with dead watches', () => {
  let leader: GivenHouse;
  let standby: GivenHouse;
  let deafness: Deafness;
  let lists: string[];
  let list: Cluster['list'] | undefined;

  beforeEach(() => {
    const controller = widgetController({ finalizes: true });
    deafness = new Deafness();
    lists = [];
    list = undefined;
    leader = new GivenHouse({ controller });
    standby = new GivenHouse({
      controller,
      memory: leader.memory,
      hears: (cluster) => deafness.of(cluster),
      faults: (cluster) => ({
        ...bound(cluster),
        list: (kind, query) => {
          lists.push(`${kind.kind} ${query.namespace} ${query.labelSelector}`);
          return (list ?? cluster.list.bind(cluster))(kind, query);
        },
      }),
    });
  });
  afterEach(() => {
    leader.close();
    standby.close();
  });

  /** A Widget of which the standby does not know that there is a ConfigMap; the leader is no more. */
  const givenUnheard = async () => {
    await settled();
    deafness.begin(ConfigMap);
    await leader.givenWidget();
    await leader.pass();
  };

  test('R28 finds what another one made, undoes it, and lets the resource go only then', async () => {
    await givenUnheard();
    await standby.removed(widgetKind, 'web');
    await expect(standby.pass()).rejects.toMatchObject(unheard);
    expect(standby.writes).toEqual([]);
    expect(await standby.pass()).toEqual(['remove ConfigMap team/web-a', 'apply Widget team/web']);
    expect(await standby.names(widgetKind)).toEqual([]);
  });

  test('R28 keeps the finalizer of a resource that wants nothing while something of it is there', async () => {
    await givenUnheard();
    await standby.givenWidget({ maps: {} });
    await expect(standby.pass()).rejects.toMatchObject(unheard);
    expect((await standby.widget()).metadata.finalizers).toEqual(['reconstruct.dev/widget']);
    expect(await standby.pass()).toEqual([
      'remove ConfigMap team/web-a',
      'apply Widget team/web',
      'apply Widget/status team/web',
    ]);
  });

  test('R28 keeps the resource while the server does not list its objects', async () => {
    await givenUnheard();
    await standby.removed(widgetKind, 'web');
    list = () => Promise.reject(broken);
    await expect(standby.pass()).rejects.toBe(broken);
    expect(standby.writes).toEqual([]);
  });

  test("R28 releases a resource on a user's request, regardless of the server's answers", async () => {
    await givenUnheard();
    const { uid } = (await standby.widget()).metadata;
    await standby.givenWidget(undefined, { annotations: { [releaseAnnotation]: uid } });
    await standby.removed(widgetKind, 'web');
    list = () => Promise.reject(broken);
    expect(await standby.pass()).toEqual(['apply Widget team/web']);
    expect(await standby.names(widgetKind)).toEqual([]);
  });

  test('R28 is not held up by objects of other resources, and looks in the namespace for its own label only', async () => {
    await givenUnheard();
    await leader.given(widgetKind, widget('other'));
    await leader.pass('team/other');
    await leader.removed(ConfigMap, 'web-a');
    await standby.removed(widgetKind, 'web');
    expect(await standby.pass()).toEqual(['apply Widget team/web']);
    const owned = ['ConfigMap', 'Service', 'Deployment', 'HorizontalPodAutoscaler'];
    expect(lists).toEqual(owned.map((kind) => `${kind} team reconstruct.dev/controller=widget`));
  });

  test('R28 lets go of the very version that it looked at, and looks at the newer one next', async () => {
    await standby.givenWidget();
    await standby.pass();
    await standby.removed(widgetKind, 'web');
    deafness.begin(widgetKind);
    const annotation = { path: '/metadata/annotations', value: { 'example.org/wanted': 'yes' } };
    await standby.memory.patch(widgetKind, web, [{ op: 'add', ...annotation }], somebody);
    await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await standby.names(widgetKind)).toEqual(['team/web']);
    expect(await standby.pass()).toEqual(['apply Widget team/web']);
  });

  test('R28 asks for nothing before the end', async () => {
    await standby.givenWidget({ maps: { a: {}, b: {} } });
    await standby.pass();
    await standby.givenWidget({ maps: { a: {} } });
    await standby.pass();
    await standby.pass();
    expect(lists).toEqual([]);
  });
});
