import type { Construct } from 'constructs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Controller, ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { isRecord } from '../../../../operator/runtime/kubernetes/json.js';
import { ConfigMap, Deployment, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { finalizerOf } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { add, type Widget, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(async () => {
  await given.close();
});

type Changes = Partial<Omit<Controller, 'finalizes'>> & Pick<ControllerProps, 'finalizes'>;

/** Far less than until the next resync. */
const shortly = () => given.clock.advance(100);

/** An operator of a controller that writes into the status how many ConfigMaps there are. */
async function started(changes: Changes, spec: WidgetSpec = {}): Promise<GivenOperator> {
  given = new GivenOperator({ controllers: [widgetController(changes)] });
  await given.start();
  await given.given(widgetKind as ObjectKind, widget('web', spec));
  await shortly();
  return given;
}

const maps = async () => {
  const { items } = await given.memory.list(ConfigMap, {});
  return items.map(({ metadata }) => metadata.name).sort();
};
const note = ({ resource }: Facts) => (resource as Widget).status?.['note'];
const size = ({ resource }: Facts) => (resource as Widget).status?.['size'];
const map = (scope: Construct, name: string) => add(scope, 'v1', 'ConfigMap', name);

/** Renders `first`, and `second` once the status says that the first is there. */
const stepwise = (scope: Construct, facts: Facts) => {
  map(scope, 'first');
  if (size(facts)) map(scope, 'second');
};

describe('R16 a reconcile that changes what it read of the status is followed by another', () => {
  test('of what `desire` read', async () => {
    await started({ desire: stepwise });
    expect(await maps()).toEqual(['first', 'second']);
    expect(await given.widget()).toMatchObject({ status: { size: 2 } });
  });

  test('of what `desire` read at an earlier reconcile, since when it was not called', async () => {
    const ready = ({ owned }: Pick<Facts, 'owned'>) => Number(owned.one(Deployment)?.status?.readyReplicas ?? 0);
    await started({
      desire: (scope, facts) => {
        add(scope, 'apps/v1', 'Deployment', 'web', { spec: { replicas: 1 } });
        if (size(facts)) map(scope, 'second');
      },
      assess: (outcome) => ({ conditions: {}, status: { size: ready(outcome) } }),
    });
    await given.clock.advance(60_000);
    expect(await maps()).toEqual([]);
    await given.status(Deployment, { readyReplicas: 1 });
    await shortly();
    expect(await maps()).toEqual(['second']);
  });

  test('of what `desire` read for the last accepted spec, while another is rejected', async () => {
    let isRejected = false;
    await started({
      desire: (scope, facts) => {
        const { maps: wanted = {} } = (facts.resource as Widget).spec;
        if (wanted['wrong']) throw new RejectedError('Wrong', 'set another');
        map(scope, 'first');
        if (note(facts) === 'rejected') map(scope, 'second');
      },
      assess: ({ accepted }) => {
        isRejected ||= !accepted;
        return { conditions: {}, status: { note: accepted ? 'accepted' : 'rejected' } };
      },
    } as Changes);
    expect(await maps()).toEqual(['first']);
    await given.given(widgetKind as ObjectKind, widget('web', { maps: { wrong: {} } }));
    await shortly();
    expect(isRejected).toBe(true);
    expect(await maps()).toEqual(['first', 'second']);
  });

  test('of what `external` read: the resource has a finalizer at once', async () => {
    const external = (resource: object) => isRecord(resource) && size({ resource } as unknown as Facts) === 0;
    await started({ finalizes: { external }, desire: () => {} });
    expect(await given.widget()).toMatchObject({ metadata: { finalizers: [finalizerOf('widget')] } });
  });

  test('of what `desire` read during the deletion: the resource goes at once', async () => {
    await started({
      finalizes: true,
      desire: (scope, facts) => {
        const isDeleting = facts.resource.metadata.deletionTimestamp !== undefined;
        if (!isDeleting || note(facts) !== 'clean') map(scope, 'account');
      },
      assess: ({ resource }) => ({
        conditions: {},
        status: { note: resource.metadata.deletionTimestamp ? 'clean' : 'in use' },
      }),
    } as Changes);
    const name = { namespace: 'team', name: 'web' };
    await given.memory.remove(widgetKind, name, { uid: String((await given.widget())?.metadata.uid) });
    await settled();
    await shortly();
    expect(await given.widget()).toBeUndefined();
    expect(await maps()).toEqual([]);
  });
});

describe('R17 a resource whose status settles', () => {
  test('costs nothing at rest, although `desire` reads the status', async () => {
    await started({ desire: stepwise });
    const [before, writes] = [given.passes.length, given.writes.length];
    await given.clock.advance(200_000);
    expect([given.passes.length, given.writes.length]).toEqual([before, writes]);
  });

  test.each<[string, number, Changes['desire']]>([
    ['no field', 1, () => {}],
    ['a field that stays as it is', 1, (_, facts) => void note(facts)],
    ['a field that changes', 2, (_, facts) => void size(facts)],
  ])('is reconciled again only if a field that `desire` read changed: %s, %i', async (_, passes, look) => {
    let ready = 0;
    await started({
      desire: (scope, facts) => {
        add(scope, 'apps/v1', 'Deployment', 'web', { spec: { replicas: 1 } });
        look?.(scope, facts);
      },
      assess: ({ owned }) => {
        ready = Number(owned.one(Deployment)?.status?.readyReplicas ?? 0);
        return { conditions: {}, status: { size: ready, note: 'here' } };
      },
    } as Changes);
    await given.clock.advance(1_000);
    const before = given.passes.length;
    await given.status(Deployment, { readyReplicas: 1 });
    await given.clock.advance(1_000);
    expect(ready).toBe(1);
    expect(given.passes.length - before).toBe(passes);
  });

  test('and one whose status never settles waits for the resync after 20 reconciles', async () => {
    await started({
      desire: (_, facts) => void size(facts),
      assess: ({ resource }) => ({
        conditions: {},
        status: { size: Number((resource as Widget).status?.['size'] ?? 0) + 1 },
      }),
    } as Changes);
    await given.clock.advance(1_000);
    expect(given.passes.length).toBe(21);
    await given.clock.advance(120_000);
    expect(given.passes.length).toBeLessThan(30);
    expect(given.complaints.filter((line) => line.startsWith('Status does not settle'))).toHaveLength(1);
  });
});
