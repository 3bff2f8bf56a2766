import { afterEach, expect, it } from 'vitest';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveMeta } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

/** A cluster with this answer to every request for Services. */
const answering =
  (answer: () => Promise<never>) =>
  (cluster: Cluster): Cluster => {
    const asked = async ({ kind }: ObjectKind) => (kind === 'Service' ? answer() : undefined);
    return {
      ...bound(cluster),
      async *watch(kind, query) {
        await asked(kind);
        yield* cluster.watch(kind, query);
      },
      list: async (kind, query) => (await asked(kind)) ?? cluster.list(kind, query),
      read: async (kind, name, options) => (await asked(kind)) ?? cluster.read(kind, name, options),
      discover: async (kind, options) => (kind.kind === 'Service' ? [] : cluster.discover(kind, options)),
    };
  };
const notServed = () => Promise.reject<never>(failure(404, 'NotFound'));
const failing = () => Promise.reject<never>(failure(500, 'InternalError'));

/** An operator that is started anew with a Widget that an earlier one has made something for, and that is then deleted. */
async function restarted(answer: () => Promise<never>): Promise<void> {
  const memory = new MemoryCluster();
  const controllers = [widgetController({ finalizes: true })];
  const before = await new GivenOperator({ controllers }, memory).start();
  await before.given(widgetKind, widget('web'));
  await before.close();
  given = await new GivenOperator({ controllers, faults: answering(answer) }, memory).start();
  const metadata = (await given.widget())?.metadata as LiveMeta;
  await memory.remove(widgetKind, metadata, { uid: metadata.uid });
  await settled();
  await given.clock.advance(600_000);
}

it('R28 a resource that is being deleted goes, though a kind that its controller makes is not served since before the start', async () => {
  await restarted(notServed);
  expect([await given.widget(), await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' })]).toEqual([
    undefined,
    undefined,
  ]);
});

it('R31 a resource that is being deleted stays while it is not known what there is of a kind', async () => {
  await restarted(failing);
  expect([await given.widget(), given.passes]).toEqual([expect.anything(), []]);
});

it('R8 a resource that is not being deleted waits for the kind', async () => {
  let answer = notServed;
  given = await new GivenOperator({ faults: answering(() => answer()) }).start();
  await given.given(widgetKind, widget('web'));
  await given.clock.advance(600_000);
  expect(given.writes).toEqual([]);
  answer = async () => undefined as never;
  await given.clock.advance(60_000);
  expect(given.writes).toEqual([
    'create ConfigMap team/web-a',
    'create Event team/web',
    'apply Widget/status team/web',
  ]);
});
