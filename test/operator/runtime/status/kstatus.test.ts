import { afterEach, expect, test } from 'vitest';
import type { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';
import { type Kstatus, kstatusOf } from '../../../kstatus.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(async () => {
  await given.stop();
  await given.ended;
});

interface Moment {
  readonly is: Kstatus;
  readonly ready: 'True' | 'False' | 'Unknown';
  readonly when: string;
  readonly changes?: Parameters<typeof widgetController>[0];
  readonly spec?: WidgetSpec;
  /** The answer of the API server to each creation of a ConfigMap. */
  readonly refusal?: ApiError;
  readonly metadata?: object;
  readonly before?: (given: GivenOperator) => Promise<unknown>;
  readonly act?: (given: GivenOperator) => Promise<unknown>;
}

const spec: WidgetSpec = { maps: { a: { size: '1' } } };
const theirs = (ends: Parameters<typeof configMap>[1]) => (given: GivenOperator) =>
  given.given(ConfigMap, configMap('web-a', ends));
const earlier = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid: 'gone', controller: true };
const conditions = { Sized: { Fits: ['True', 'it fits'], Growing: ['Unknown', 'it grows'] } } as const;

test.each<Moment>([
  { is: 'Current', ready: 'True', when: 'everything is as it is wanted' },
  {
    is: 'InProgress',
    ready: 'Unknown',
    when: 'something is on its way',
    changes: { conditions, assess: () => ({ conditions: { Sized: { reason: 'Growing' } } }) },
  },
  {
    is: 'InProgress',
    ready: 'False',
    when: 'a condition is not met, which may mend itself',
    changes: { assess: () => ({ conditions: { Sized: { reason: 'TooSmall' } } }) },
  },
  {
    is: 'InProgress',
    ready: 'Unknown',
    when: 'an object of an earlier resource must go first',
    before: theirs({ ownerReferences: [earlier] }),
  },
  { is: 'Failed', ready: 'False', when: 'the spec is rejected', spec: { rejected: 'no' } },
  { is: 'Failed', ready: 'False', when: 'an object is somebody else’s', before: theirs({}) },
  { is: 'Failed', ready: 'False', when: 'what it becomes is refused', refusal: failure(422, 'Invalid') },
  {
    is: 'InProgress',
    ready: 'Unknown',
    when: 'its passes fail again and again',
    refusal: failure(500, 'InternalError'),
    act: (given) => given.clock.advance(15),
  },
  {
    is: 'Terminating',
    ready: 'True',
    when: 'it is being deleted',
    metadata: { finalizers: ['example.org/theirs'] },
    act: async ({ memory }) => {
      const name = { namespace: 'team', name: 'web' };
      await memory.remove(widgetKind, name, { uid: (await memory.read(widgetKind, name))?.metadata.uid ?? '' });
    },
  },
])('R24 kstatus reads $is, and Ready is $ready, when $when', async ({ is, ready, refusal, ...moment }) => {
  const { act, before, changes, metadata } = moment;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (kind, ...rest) =>
      refusal && kind.kind === ConfigMap.kind ? Promise.reject(refusal) : cluster.create(kind, ...rest),
  });
  given = new GivenOperator({ controllers: [widgetController(changes)], faults });
  await before?.(given);
  await given.start();
  await given.given(widgetKind, widget('web', moment.spec ?? spec, metadata));
  await act?.(given);
  const resource = await given.widget();
  expect(kstatusOf(resource as LiveObject)).toBe(is);
  expect(conditionOf(resource, 'Ready')).toMatchObject({ status: ready });
});

test('R24 kstatus reads InProgress while an edit was not looked at, though Ready is still True', async () => {
  given = await new GivenOperator().start();
  await given.given(widgetKind, widget('web', spec));
  await given.stop();
  await given.given(widgetKind, widget('web', { maps: {} }));
  const resource = await given.widget();
  expect(kstatusOf(resource as LiveObject)).toBe('InProgress');
  expect(conditionOf(resource, 'Ready')).toMatchObject({ status: 'True', observedGeneration: 1 });
});
