import { expect, it } from 'vitest';
import { Event, Lease, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetKind } from '../given/widgets.js';

const lease = { name: 'reconstruct', namespace: 'system' };

/** A cluster that notes what was done in which order, without what came of it. */
function noting(): { diary: string[]; faults: (cluster: Cluster) => Cluster } {
  const diary: string[] = [];
  const note = (kind: ObjectKind, what: string) => diary.push(`${what} ${kind.kind}`);
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    list: (kind, query) => {
      note(kind, 'list');
      return cluster.list(kind, query);
    },
    watch: (kind, query) => {
      query.signal?.addEventListener('abort', () => note(kind, 'end of watch'));
      return cluster.watch(kind, query);
    },
    create: (kind, object, options) => {
      note(kind, 'create');
      return cluster.create(kind, object, options);
    },
    apply: (kind, object, options) => {
      note(kind, 'apply');
      return cluster.apply(kind, object, options);
    },
  });
  return { diary, faults };
}

it('R31 "should start the cache before starting anything else": nothing is written before the lease and the caches', async () => {
  const { diary, faults } = noting();
  const given = new GivenOperator({ faults, lease });
  await given.given(widgetKind, widget('web'));
  await given.start();
  const first = diary.indexOf('create ConfigMap');
  expect(first).toBeGreaterThan(0);
  expect(diary.slice(0, first)).toContain('create Lease');
  expect(diary.slice(first)).not.toContain('list Widget');
  await given.stop();
  await given.ended;
});

it('R31 "should only cancel the leader election after all runnables are done": passes, lease, caches', async () => {
  const { diary, faults } = noting();
  const given = new GivenOperator({ faults, lease });
  await given.start();
  void given.given(widgetKind, widget('web'));
  await settled();
  diary.length = 0;
  await given.stop();
  await given.ended;
  const kinds = diary.filter((line) => !line.endsWith(Event.kind));
  const released = kinds.indexOf(`apply ${Lease.kind}`);
  expect(kinds.slice(released + 1).every((line) => line.startsWith('end of watch'))).toBe(true);
  expect(kinds.slice(0, released).some((line) => line.startsWith('end of watch'))).toBe(false);
  expect(kinds.length).toBeGreaterThan(released + 1);
});

it('R31 "should prevent leader election when shutting down a non-elected manager"', async () => {
  const given = new GivenOperator({ lease });
  await given.stop();
  await given.start();
  await given.ended;
  expect((await given.memory.list(Lease, {})).items).toEqual([]);
});

it('R31 "should not leak goroutines when stopped": no timer is left', async () => {
  const given = new GivenOperator({ lease });
  await given.start();
  await given.given(widgetKind, widget('web'));
  expect(given.clock.waiting).toBeGreaterThan(0);
  await given.stop();
  await given.ended;
  expect(given.clock.waiting).toBe(0);
});

it('R31 TestNonRacyShutdown: the last events are written before the lease is released', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, object, options) => {
      if (kind.kind === Event.kind) await answered;
      return cluster.create(kind, object, options);
    },
  });
  const given = new GivenOperator({ faults, lease });
  await given.start();
  await given.given(widgetKind, widget('web', { rejected: 'no good' }));
  await given.stop();
  await settled();
  expect(given.hasEnded).toBe(false);
  answer();
  await given.ended;
  expect((await given.memory.list(Event, {})).items).toHaveLength(1);
});
