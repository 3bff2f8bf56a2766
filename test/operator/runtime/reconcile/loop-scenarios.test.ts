import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import {
  add,
  conditionOf,
  type Widget,
  type WidgetSpec,
  widget,
  widgetController,
  widgetKind,
} from '../given/widgets.js';

let given: GivenOperator;
const open = (...props: ConstructorParameters<typeof GivenOperator>) => {
  given = new GivenOperator(...props);
  return given.start();
};
afterEach(() => given.close());

/** Somebody deletes a Widget. */
async function remove(name = 'web'): Promise<void> {
  const key = { namespace: 'team', name };
  await given.memory.remove(widgetKind, key, { uid: (await given.widget(name))?.metadata.uid ?? '' });
  await settled();
}

const names = async () => (await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name).sort();
const hang: Cluster['create'] = (_kind, _object, { signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

/** The operator's cluster, on which ConfigMaps are created in another way. */
const creating = (create: (cluster: Cluster) => Cluster['create']) => ({
  faults: (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (kind, ...rest) => (kind.kind === ConfigMap.kind ? create(cluster) : cluster.create)(kind, ...rest),
  }),
});

describe('passes of other runtimes, under the names that they have there', () => {
  // controller-runtime: pkg/internal/controller; JOSDK: EventProcessorTest and integration tests
  test('R25 should requeue a Request if there is an error and continue processing items', async () => {
    const given = await open({
      maxConcurrentReconciles: 1,
      ...creating((cluster) => (kind, object, options) => {
        if (object.metadata.name === 'bad-a') return Promise.reject(failure(500, 'InternalError'));
        return cluster.create(kind, object, options);
      }),
    });
    await given.given(widgetKind, widget('bad'));
    await given.given(widgetKind, widget('web'));
    expect(await names()).toEqual(['web-a']);
    await given.clock.advance(5);
    expect(given.passes.filter((result) => result === 'error')).toHaveLength(2);
  });

  test('R27 should not requeue a Request if there is a terminal error', async () => {
    const given = await open({});
    await given.given(widgetKind, widget('web', { rejected: 'no' }));
    const { length } = given.passes;
    await given.clock.advance(20_000);
    expect(given.passes).toHaveLength(length);
    expect(given.passes).not.toContain('error');
  });

  test.each<{ late: number; name: string; create: (cluster: Cluster) => Cluster['create']; act?: () => Promise<void> }>(
    [
      {
        late: 0,
        name: 'should not increment when reconciliation completes before timeout',
        create: ({ create }) => create,
      },
      {
        late: 1,
        name: 'should increment when ReconciliationTimeout context timeout hits DeadlineExceeded',
        create: () => hang,
        act: () => given.clock.advance(1_000),
      },
      {
        late: 2,
        name: 'should increment multiple times when multiple reconciles timeout',
        create: () => hang,
        act: () => given.clock.advance(2_500),
      },
      {
        late: 0,
        name: 'should not increment when user code cancels context earlier than the ReconciliationTimeout',
        create: () => () => Promise.reject(new DOMException('cancelled', 'AbortError')),
      },
      {
        late: 0,
        name: 'should not increment when parent context is cancelled',
        create: () => hang,
        act: () => given.stop(),
      },
    ],
  )('R26 prometheus metric reconcile_timeouts $name', async ({ late, create, act }) => {
    const lates: boolean[] = [];
    const telemetry = { ...silent, reconciled: (ended: { late?: boolean }) => lates.push(ended.late ?? false) };
    const times = { reconcileTimeout: 1_000, gracefulShutdownTimeout: 10 };
    await open({ telemetry, ...times, ...creating((cluster) => create(bound(cluster))) });
    await given.given(widgetKind, widget('web'));
    await act?.();
    await given.stop();
    await given.clock.advance(10);
    expect(lates.filter(Boolean)).toHaveLength(late);
  });

  test('R10 completesSubmissionIfResourceDisappearsFromCacheBeforeExecution: made again, it is taken up', async () => {
    const answers: (() => void)[] = [];
    const slow = creating((cluster) => async (...call) => {
      if (call[1].metadata.name === 'slow-a') await new Promise<void>((resolve) => answers.push(resolve));
      return cluster.create(...call);
    });
    const given = await open({ maxConcurrentReconciles: 1, ...slow });
    await given.given(widgetKind, widget('slow'));
    await given.given(widgetKind, widget('web'));
    await remove();
    for (const answer of answers) answer();
    await settled();
    expect(await names()).toEqual(['slow-a']);
    await given.given(widgetKind, widget('web'));
    expect(await names()).toEqual(['slow-a', 'web-a']);
  });

  test('R10 ConcurrencyIT: many resources created, updated and deleted at once come to what is wanted', async () => {
    const given = await open({});
    const all = Array.from({ length: 50 }, (_, index) => `w${index}`);
    const somebody = { manager: 'somebody' };
    const write = (name: string, spec: WidgetSpec) => given.memory.apply(widgetKind, widget(name, spec), somebody);
    await Promise.all(all.map((name) => write(name, { maps: { a: {} } })));
    await Promise.all(all.map((name, index) => (index % 2 ? remove(name) : write(name, { maps: { b: {} } }))));
    await given.clock.advance(100);
    const kept = all.filter((_, index) => index % 2 === 0);
    // Of what was deleted the ConfigMaps are the garbage collector's business.
    expect((await names()).filter((name) => name.endsWith('-b'))).toEqual(kept.map((name) => `${name}-b`).sort());
    expect((await names()).filter((name) => kept.includes(name.replace(/-a$/, '')))).toEqual([]);
    expect(given.complaints).toEqual([]);
  });

  test('R22 OwnerRefMultiVersionIT: an owner reference of an older version is brought up, not doubled', async () => {
    const given = await open({});
    await given.given(widgetKind, widget('web'));
    const name = { namespace: 'team', name: 'web-a' };
    const older = [{ op: 'replace', path: '/metadata/ownerReferences/0/apiVersion', value: 'example.org/v0' }] as const;
    await given.memory.patch(ConfigMap, name, older, { manager: 'somebody' });
    await settled();
    const { ownerReferences } = (await given.memory.read(ConfigMap, name))?.metadata ?? {};
    expect(ownerReferences).toMatchObject([{ apiVersion: 'example.org/v1', kind: 'Widget', name: 'web' }]);
    expect(conditionOf(await given.widget(), 'Conflicted')).toBeUndefined();
  });
});

describe('an object of a resource', () => {
  const key = { namespace: 'team', name: 'web-a' };
  const owner = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'other', uid: 'of-another', controller: true };
  const patches = [
    { when: 'its owner reference is taken off', op: 'remove', path: '/metadata/ownerReferences' },
    { when: 'it is given to another one', op: 'replace', path: '/metadata/ownerReferences/0', value: owner },
    { when: 'it is edited', op: 'replace', path: '/data/size', value: '9' },
  ] as const;
  const live = async () => await given.memory.read(ConfigMap, key);

  test.each([{ when: 'it is deleted' }, ...patches])('wakes it at once when $when', async ({ when, ...patch }) => {
    // The next resync is far away.
    const given = await open({ resyncPeriod: 3_600_000 });
    await given.given(widgetKind, widget('web'));
    const passes = given.passes.length;
    if ('op' in patch) await given.memory.patch(ConfigMap, key, [patch as never], { manager: 'somebody' });
    else await given.memory.remove(ConfigMap, key, { uid: (await live())?.metadata.uid ?? '' });
    await settled();
    expect(given.passes.length).toBeGreaterThan(passes);
  });
});

describe('finalizers of other runtimes, under the names that they have there', () => {
  // JOSDK: integration tests
  const finalizer = (name: string) => `reconstruct.dev/${name}`;

  test('R28 ConcurrentFinalizerRemovalIT, CleanupConflictIT: two controllers undo one resource at once', async () => {
    const changes = { name: 'second', finalizes: true, secondaryFor: () => true, statusFields: [] };
    const second = widgetController({
      ...changes,
      conditions: { Served: { Serving: ['True', 'it is served'] } },
      assess: () => ({ conditions: {} }),
      desire: (scope, { resource }) => {
        if (!resource.metadata.deletionTimestamp)
          add(scope, 'v1', 'Service', 'web', { spec: { ports: [{ port: 1 }] } });
      },
    });
    const given = await open({ controllers: [widgetController({ finalizes: true }), second] });
    await given.given(widgetKind, widget('web'));
    expect((await given.widget())?.metadata.finalizers?.toSorted()).toEqual([finalizer('second'), finalizer('widget')]);
    await remove();
    await given.clock.advance(1_000); // one meets what the other has written, and looks again
    expect(await given.widget()).toBeUndefined();
    expect([...(await names()), ...(await given.memory.list(Service, {})).items]).toEqual([]);
    expect(given.complaints).toEqual([]);
  });

  test('R28 SSASpecUpdateIT: an apply that states no finalizer leaves ours', async () => {
    const given = await open({ controllers: [widgetController({ finalizes: true })] });
    await given.given(widgetKind, widget('web'));
    await given.given(widgetKind, widget('web', { maps: { b: {} } }));
    expect((await given.widget())?.metadata.finalizers).toEqual([finalizer('widget')]);
  });

  test('R28 SelectiveFinalizerHandlingIT: only what has something to undo is held', async () => {
    const given = await open({ controllers: [widgetController({ finalizes: true })] });
    await given.given(widgetKind, widget('web'));
    await given.given(widgetKind, widget('idle', { maps: {} }));
    expect((await given.widget())?.metadata.finalizers).toEqual([finalizer('widget')]);
    expect((await given.widget('idle'))?.metadata.finalizers ?? []).toEqual([]);
  });

  test('R28 DeletionDuringStatusUpdateIT: a resource that is deleted while its status is written is undone', async () => {
    let isDeleted = false;
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      apply: async (kind, object, options) => {
        if (options.subresource === 'status' && !isDeleted) {
          isDeleted = true;
          await remove();
        }
        return cluster.apply(kind, object, options);
      },
    });
    const given = await open({ controllers: [widgetController({ finalizes: true })], faults });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(100);
    expect(isDeleted).toBe(true);
    expect(await given.widget()).toBeUndefined();
    expect(await names()).toEqual([]);
  });

  test('R28 UpdateStatusInCleanupAndRescheduleIT: a deletion tells how far it got, and looks again in time', async () => {
    const controller = widgetController({
      finalizes: true,
      desire: (scope, { resource, now }) => {
        const { deletionTimestamp } = resource.metadata;
        const isDone = deletionTimestamp !== undefined && now.getTime() - Date.parse(deletionTimestamp) >= 4_000;
        if (!isDone) add(scope, 'v1', 'ConfigMap', 'web-a');
      },
      assess: ({ resource }) => ({
        conditions: { Sized: { reason: (resource as Widget).metadata.deletionTimestamp ? 'TooSmall' : 'Fits' } },
        requeueAfter: 4_000,
      }),
    });
    const given = await open({ controllers: [controller] });
    await given.given(widgetKind, widget('web'));
    await remove();
    expect((await given.widget())?.['status'].conditions).toContainEqual(
      expect.objectContaining({ type: 'Sized', reason: 'TooSmall' }),
    );
    await given.clock.advance(3_999);
    expect(await given.widget()).toBeDefined();
    await given.clock.advance(1);
    expect(await given.widget()).toBeUndefined();
  });
});
