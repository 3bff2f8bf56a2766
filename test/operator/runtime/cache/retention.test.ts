import { afterEach, describe, expect, test } from 'vitest';
import { keptWhole } from '../../../../operator/runtime/cache/retention.js';
import { Stores } from '../../../../operator/runtime/cache/stores.js';
import { ConfigMap, type ObjectKind, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controlledByAnnotation } from '../../../../operator/runtime/kubernetes/object.js';
import { controllerLabel } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { ownerAnnotation } from '../../../../operator/runtime/ownership/ownership-labels.js';
import { ownerAnnotationText } from '../../../../operator/runtime/ownership/wish.js';
import type { Cluster, WatchEvent, WatchQuery } from '../../../../operator/runtime/ports/cluster.js';
import { configMap, live } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

const owner = live(widget('web'), { uid: 'there' });
const reference = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid: 'there', controller: true };
const tie = (uid: string, name = 'web') => ({ [controlledByAnnotation]: `example.org/v1 Widget ${name} ${uid}` });
const claim = (uid: string) => ({
  [ownerAnnotation]: ownerAnnotationText(widgetKind, { ...owner, metadata: { ...owner.metadata, uid } }),
});

describe('R9 of an object with our label', () => {
  const seer = widgetController({
    name: 'seer',
    owns: [],
    watchesSiblings: [ConfigMap],
    secondaryFor: () => true,
    statusFields: [],
  } as never);

  test.each([
    { is: true, when: 'its owner is there', ownerReferences: [reference] },
    { is: true, when: 'it is tied to one that is there', annotations: tie('there') },
    { is: true, when: 'it is claimed for one that is there', annotations: claim('there') },
    { is: false, when: 'it has no owner' },
    { is: false, when: 'its owner is another of the name', ownerReferences: [{ ...reference, uid: 'gone' }] },
    { is: false, when: 'its owner is in another namespace', namespace: 'far', ownerReferences: [reference] },
    { is: false, when: 'its owner is of another kind', ownerReferences: [{ ...reference, kind: 'Gadget' }] },
    { is: false, when: 'it is tied to one that never was', annotations: tie('made-up') },
    { is: false, when: 'it is tied to a name that never was', annotations: tie('there', 'nobody') },
    { is: false, when: 'it is claimed for one that never was', annotations: claim('made-up') },
    { is: false, when: 'no controller here made it', by: 'x', ownerReferences: [reference] },
    {
      is: true,
      when: 'a controller sees what another made',
      by: 'x',
      ownerReferences: [reference],
      watchesSiblings: true,
    },
    {
      is: false,
      when: 'a controller sees such, of one that never was',
      by: 'x',
      annotations: tie('made-up'),
      watchesSiblings: true,
    },
  ])('the whole is kept: $is, when $when', ({ is, by = 'widget', watchesSiblings = false, when: _, ...metadata }) => {
    const stores = new Stores();
    stores.of(widgetKind).told('ADDED', owner, '');
    const keeps = keptWhole(ConfigMap, watchesSiblings ? [widgetController(), seer] : [widgetController()], stores);
    const labels = { [controllerLabel]: by };
    expect(keeps(live(configMap('a', { namespace: 'team', labels, ...metadata } as never)))).toBe(is);
    expect(keptWhole(Service, [seer], stores)(live(configMap('a', { labels, ...metadata } as never)))).toBe(false);
  });
});

describe('R9 what a resource has', () => {
  let given: GivenOperator;
  afterEach(() => given.close());

  test('is known whole at the start, and no object is read for it', async () => {
    given = await new GivenOperator().start();
    await given.given(widgetKind, widget('web'));
    const { memory } = given;
    await given.close();
    const reads: string[] = [];
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      read: (kind, ...rest) => {
        if (kind.kind !== 'Lease') reads.push(kind.kind);
        return cluster.read(kind, ...rest);
      },
    });
    given = await new GivenOperator({ faults }, memory).start();
    const before = given.writes.length;
    await given.clock.advance(60_000);
    expect([reads, given.writes.slice(before)]).toEqual([[], []]);
  });

  test('is read where it was told before the resource itself, as what another process made', async () => {
    const other = await new GivenOperator().start();
    const { memory } = other;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    async function* late(kind: ObjectKind, query: WatchQuery): AsyncGenerator<WatchEvent> {
      for await (const event of memory.watch(kind, query)) {
        if (kind === widgetKind && 'object' in event) await gate;
        yield event;
      }
    }
    const seen: unknown[] = [];
    const { assess } = widgetController();
    const controller = widgetController({
      assess: (outcome) => {
        seen.push(...outcome.owned.of(ConfigMap).map(({ data }) => data));
        return assess(outcome);
      },
    });
    given = await new GivenOperator(
      { controllers: [controller], faults: (cluster) => ({ ...bound(cluster), watch: late }) },
      memory,
    ).start();
    await other.given(widgetKind, widget('web'));
    open();
    await settled();
    expect(new Set(seen.map((data) => JSON.stringify(data)))).toEqual(new Set(['{"size":"1"}']));
    expect(given.writes.filter((write) => write.includes('ConfigMap'))).toEqual(['create ConfigMap team/web-a']);
    await other.close();
  });
});
