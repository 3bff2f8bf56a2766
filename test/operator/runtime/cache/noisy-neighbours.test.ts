import { afterEach, describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { bound } from '../given/house.js';
import { noter } from '../given/noter.js';
import { GivenOperator } from '../given/operator.js';
import { reader, readerController, readerKind, secret, themed } from '../given/readers.js';
import { add, conditionOf, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const tenant = { manager: 'tenant' };
const whenever = ['was there before the start', 'came later'];

/** Its author thought that everybody states a selector. */
const picker = defineController({
  kind: readerKind,
  owns: [ConfigMap],
  conditions: { Read: { Ok: ['True', 'it is read'] } },
  reads: ({ matchingLabels }) => ({
    maps: matchingLabels(ConfigMap, ({ spec }) => ({
      labels: (spec as { selector: Record<string, string> }).selector,
    })),
  }),
  desire: (scope, { resource, reads }) => {
    const data = { found: reads.maps.map(({ metadata }) => metadata.name).join() };
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-saw`, { data });
  },
  assess: () => ({ conditions: { Read: { reason: 'Ok' } } }),
});

describe('a resource of one tenant, of which an author did not think', () => {
  it.each(whenever)('R25 keeps no news from another: by what it refers to cannot be told, and it %s', async (when) => {
    given = new GivenOperator({ controllers: [picker as unknown as Controller] });
    const theirs = () => given.memory.apply(readerKind, reader('theirs', {}, 'their-team'), tenant);
    if (when === whenever[0]) await theirs();
    await given.start();
    await given.given(readerKind, reader('ours', { selector: { theme: 'dark' } } as object));
    if (when !== whenever[0]) await theirs();
    await given.given(ConfigMap, themed('night', 'dark', 'blue'));
    await given.clock.advance(20_000);
    const saw = await given.memory.read(ConfigMap, { namespace: 'team', name: 'ours-saw' });
    expect(saw).toMatchObject({ data: { found: 'night' } });
    const said = (await given.memory.read(readerKind, {
      namespace: 'their-team',
      name: 'theirs',
    })) as unknown as Widget;
    const message =
      'reads of controller reader failed: the selector of configmaps must be labels with string values, got undefined';
    expect(conditionOf(said, 'Ready')).toMatchObject({ reason: 'ReconcileFailed', message });
  });

  it.each(
    whenever.flatMap((when) => [
      { when, order: 'before' },
      { when, order: 'behind' },
    ]),
  )('R25 stops no other: whom it concerns cannot be told $order the one that leads, and it $when', async (row) => {
    const secondaryFor = ({ spec }: CustomResource) => (spec as { feature: { isOn: boolean } }).feature.isOn;
    const picky = { ...noter, secondaryFor } as Controller;
    const leading = widgetController({ statusFields: ['size'] } as object);
    const controllers = row.order === 'before' ? [picky, leading] : [leading, picky];
    given = new GivenOperator({ controllers });
    const theirs = () => given.memory.apply(widgetKind, widget('theirs', {}, { namespace: 'their-team' }), tenant);
    if (row.when === whenever[0]) await theirs();
    await given.start();
    if (row.when !== whenever[0]) await theirs();
    const { spec = {}, ...rest } = widget('web') as Widget;
    await given.given(widgetKind, { ...rest, spec: { ...spec, feature: { isOn: true } } } as unknown as Manifest);
    await given.clock.advance(20_000);
    expect(conditionOf((await given.widget()) as unknown as Widget, 'Ready')).toMatchObject({ status: 'True' });
    expect(conditionOf((await given.widget()) as unknown as Widget, 'Noted')).toMatchObject({ status: 'True' });
    const said = (await given.memory.read(widgetKind, {
      namespace: 'their-team',
      name: 'theirs',
    })) as unknown as Widget;
    const message = expect.stringMatching(/^secondaryFor of controller noter failed: /);
    expect(conditionOf(said, 'Noted')).toMatchObject({ reason: 'ReconcileFailed', message });
  });
});

it('R34 an object of thousands of owners that there are not wakes the one that there is', async () => {
  let owed = 0;
  given = await new GivenOperator({ telemetry: { ...silent, enqueued: () => owed++ } }).start();
  await given.given(widgetKind, widget('web'));
  const { uid = '' } = (await given.widget())?.metadata ?? {};
  const ownerOf = (name: string, uid: string) => ({ apiVersion: 'example.org/v1', kind: 'Widget', name, uid });
  const strangers = (round: number) =>
    Array.from({ length: 3_000 }, (_, index) => ownerOf(`${round}-${index}`, `${round}-${index}`));
  const forged = (round: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{ name: 'forged', namespace: 'team', labels: { 'reconstruct.dev/controller': 'widget' } },
      annotations: { 'reconstruct.dev/shared': 'true' },
      ownerReferences: [...strangers(round), ownerOf('web', uid)],
    },
  });
  const before = owed;
  for (const round of [1, 2]) await given.given(ConfigMap, forged(round) as Manifest);
  expect(owed - before).toBeGreaterThan(0);
  expect(owed - before).toBeLessThan(10);
});

it('R34 an object that a resource names thousands of times is read once', async () => {
  let reads = 0;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    read: (kind, ...rest) => {
      if (kind.kind === Secret.kind) reads++;
      return cluster.read(kind, ...rest);
    },
  });
  given = new GivenOperator({ controllers: [readerController], faults });
  await given.memory.apply(Secret, secret('key', 'red'), tenant);
  await given.start();
  const more = Array.from({ length: 3_000 }, (_, index) => (index % 2 === 0 ? 'key' : 'nowhere'));
  await given.given(readerKind, reader('web', { more }));
  const saw = (await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-saw' })) as
    | { data?: object }
    | undefined;
  expect(saw?.data).toMatchObject({ more: more.map((name) => (name === 'key' ? 'red' : 'nothing')).join() });
  expect(reads).toBe(1);
});

it('R34 a reference with too many labels is rejected with the limit', async () => {
  given = await new GivenOperator({ controllers: [picker as unknown as Controller] }).start();
  const selector = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`l${index}`, 'x']));
  await given.given(readerKind, reader('web', { selector } as object));
  await given.clock.advance(20_000);
  const said = (await given.memory.read(readerKind, { namespace: 'team', name: 'web' })) as unknown as Widget;
  const message = 'reads of controller reader failed: the selector of configmaps must have at most 100 labels, got 101';
  expect(conditionOf(said, 'Ready')).toMatchObject({ reason: 'ReconcileFailed', message });
});
