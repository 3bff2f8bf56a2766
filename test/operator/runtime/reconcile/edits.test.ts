import { afterEach, describe, expect, it, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
let recover: () => Promise<void>;
afterEach(async () => {
  await recover();
  await given.close();
  expect(given.clock.waiting).toBe(0);
});

/** A cluster that carries creates out, and holds back the answers of those of ConfigMaps until they are let go. */
function slow(outcome: () => Promise<void> = async () => {}) {
  const answers: (() => void)[] = [];
  let isSlow = true;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, object, options) => {
      const answer = await cluster.create(kind, object, options);
      if (isSlow && kind.kind === ConfigMap.kind) {
        await new Promise<void>((resolve) => answers.push(resolve));
        await outcome();
      }
      return answer;
    },
  });
  const answer = async () => {
    for (const resolve of answers.splice(0)) resolve();
    await settled();
  };
  const recover = () => {
    isSlow = false;
    return answer();
  };
  return { faults, answer, recover };
}

const old: WidgetSpec = { maps: { a: { size: '1' } }, workload: true };

/** An operator whose first pass over the Widget `web` has asked for its ConfigMap and waits for the answer. */
async function open(controller: Partial<Controller> = {}, outcome?: () => Promise<void>) {
  const { faults, ...slowly } = slow(outcome);
  ({ recover } = slowly);
  given = new GivenOperator({ controllers: [widgetController(controller)], faults });
  await given.start();
  await given.given(widgetKind, widget('web', old));
  expect(given.writes).toEqual(['create ConfigMap team/web-a']);
  return { given, answer: slowly.answer };
}

describe('a resource that is edited during its pass', () => {
  test('R26 is not made so by the old spec any more, and at once by the new one', async () => {
    const { given, answer } = await open();
    await given.given(widgetKind, widget('web', { maps: { b: {} } }));
    await answer();
    expect(given.passes).toEqual(['requeue']);
    await answer();
    expect(given.writes.filter((write) => !write.startsWith('create Event'))).toEqual([
      'create ConfigMap team/web-a', // its answer was taken in: it is known, and pruned
      'create ConfigMap team/web-b',
      'remove ConfigMap team/web-a',
      'apply Widget/status team/web',
    ]);
    expect(given.passes).toEqual(['requeue', 'success']);
    expect((await given.widget())?.['status']).toMatchObject({ retryCount: 0, observedGeneration: 2 });
    expect(given.complaints).toEqual([]);
  });

  test('R26 does not wait out what failed over the old spec', async () => {
    const { given, answer } = await open({}, async () => Promise.reject(failure(500, 'InternalError')));
    await given.given(widgetKind, widget('web', { maps: {} }));
    await answer();
    expect(given.passes).toEqual(['error', 'success']);
  });

  test('R24 R26 is said nothing of by a pass that the API server refused over the old spec', async () => {
    const { given, answer } = await open({}, async () => Promise.reject(failure(422, 'Invalid')));
    await given.given(widgetKind, widget('web', { rejected: 'no' }));
    await answer();
    expect(given.passes).toEqual(['error', 'success']);
    expect(given.writes.filter((write) => write === 'apply Widget/status team/web')).toHaveLength(1);
    expect(conditionOf(await given.widget(), 'Accepted')).toMatchObject({ status: 'False', observedGeneration: 2 });
  });

  test('R26 is made so by the old spec first where its controller wants that', async () => {
    const { given, answer } = await open({ onSpecChange: 'finish' });
    await given.given(widgetKind, widget('web', { maps: { a: { size: '1' } } }));
    await answer();
    expect(given.writes).toContain('create HorizontalPodAutoscaler team/web');
    expect(given.passes).toEqual(['success', 'success']);
  });

  it.each([
    { when: 'its labels are edited', metadata: { labels: { theirs: '1' } } },
    { when: 'its annotations are', metadata: { annotations: { theirs: '1' } } },
  ])('R26 is not begun again when $when', async ({ metadata }) => {
    const { given, answer } = await open();
    await given.given(widgetKind, widget('web', old, metadata));
    await answer();
    expect(given.passes[0]).toBe('success');
  });

  it.each([
    { when: 'it is deleted', finalizers: [], passes: ['requeue'] }, // a look at what is gone is no pass
    { when: 'it is on its way out', finalizers: ['example.org/theirs'], passes: ['requeue', 'success'] },
  ])('R26 R28 is not made any more when $when', async ({ finalizers, passes }) => {
    const { given, answer } = await open();
    await given.given(widgetKind, widget('web', old, { finalizers }));
    const { uid } = (await given.widget())?.metadata ?? { uid: '' };
    await given.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid });
    await settled();
    await answer();
    expect(given.passes).toEqual(passes);
    const event = 'create Event team/web';
    expect(given.writes.filter((write) => write.startsWith('create'))).toEqual(['create ConfigMap team/web-a', event]);
  });

  test('R14 R26 gets its turn, though edits never end', async () => {
    const { given, answer } = await open();
    for (let edit = 0; given.passes.length < 6; edit++) {
      await given.given(widgetKind, widget('web', { maps: { [`m${edit}`]: {} } }));
      await answer();
      expect(edit).toBeLessThan(20);
    }
    expect(given.passes.slice(0, 6)).toEqual([...Array(5).fill('requeue'), 'success']);
  });
});
