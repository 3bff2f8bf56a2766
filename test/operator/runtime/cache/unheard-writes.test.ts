import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const isWorking = (resource: object) => (resource as Widget).spec.workload === true;
/** Its schema has no place for a count of failures. */
const kind = { ...widgetKind, statusFields: ['observedGeneration', 'conditions', 'size', 'note'] };
const noter = widgetController({
  kind,
  ...{
    name: 'noter',
    secondaryFor: isWorking,
    owns: [ConfigMap],
    watchesSiblings: [Deployment],
    statusFields: ['note'],
  },
  conditions: { Noted: { Done: ['True', 'it is noted'], Waiting: ['Unknown', 'nothing is there yet'] } },
  desire: ((scope, { resource, siblings }) => {
    const { spec } = (siblings.one(Deployment) ?? {}) as {
      spec?: { template?: { spec?: { containers?: { image: string }[] } } };
    };
    const image = spec?.template?.spec?.containers?.[0]?.image ?? 'none';
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-note`, { data: { image } });
  }) satisfies Controller['desire'],
  assess: () => ({ conditions: { Noted: { reason: 'Done' } } }),
} as object);

it('a write without an answer, which a read has found before the watch told of it, is heard of by other controllers', async () => {
  let deaf: Promise<void> | undefined;
  let hear = () => {};
  let lose = false;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    watch: async function* (kind, query) {
      for await (const event of cluster.watch(kind, query)) {
        if (kind.kind === 'Deployment') await deaf;
        yield event;
      }
    },
    apply: async (kind, object, options) => {
      const answer = await cluster.apply(kind, object, options);
      if (!lose || kind.kind !== 'Deployment') return answer;
      lose = false;
      throw new ApiError('no answer', { code: 0, reason: 'NoAnswer' });
    },
  });
  given = await new GivenOperator({
    controllers: [widgetController({ kind, statusFields: ['size'] } as object), noter],
    faults,
    resyncPeriod: 36_000_000,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  await given.clock.advance(1_000);
  const at = { namespace: 'team', name: 'web' };
  // Somebody edits the Deployment; the leader mends it, without an answer; the watch is a moment late.
  lose = true;
  const { memory } = given;
  const stop = () => {
    deaf = new Promise<void>((resolve) => (hear = resolve));
  };
  const told = given.operator.stores.find(({ kind }) => kind.kind === 'Deployment');
  told?.listen(({ after }) => {
    if (JSON.stringify(after).includes('other:1')) stop();
  });
  await memory.patch(
    Deployment,
    at,
    [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'other:1' }],
    { manager: 'somebody' },
  );
  await settled();
  await given.clock.advance(1_000);
  expect(JSON.stringify(await memory.read(Deployment, at))).toContain('main:1');
  deaf = undefined;
  hear();
  await settled();
  await given.clock.advance(60_000);
  const note = await memory.read(ConfigMap, { namespace: 'team', name: 'web-note' });
  expect(note).toMatchObject({ data: { image: 'main:1' } });
});
