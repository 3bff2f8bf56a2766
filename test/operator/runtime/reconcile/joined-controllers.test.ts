import { afterEach, describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import type { Refer } from '../../../../operator/runtime/controller/reads.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import {
  ConfigMap,
  Deployment,
  Job,
  type ObjectKind,
  optional,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, conditionOf, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

type Desire = Controller['desire'];
type Assess = Controller['assess'];

/** Leads: makes what the spec wants. */
const leader = (changes: object = {}) => widgetController({ statusFields: ['size'], ...changes } as object);

const isWorking = (resource: object) => (resource as Widget).spec.workload === true;

const note: Desire = (scope, { resource, siblings }) => {
  if (!isWorking(resource) || resource.metadata.deletionTimestamp) return;
  const data = { count: String(siblings.of(Deployment).length) };
  add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-note`, { data });
};

const noted: Assess = ({ resource, siblings }) => {
  if (!isWorking(resource)) return { conditions: {} };
  const reason = siblings.one(Deployment) ? 'Done' : 'Waiting';
  return { conditions: { Noted: { reason } }, status: { note: reason } };
};

/** Joins: of a Widget with a workload it makes a note of how many Deployments the leader has made. */
const joined = (changes: object = {}) =>
  widgetController({
    ...{
      name: 'noter',
      secondaryFor: isWorking,
      owns: [ConfigMap],
      watchesSiblings: [Deployment],
      statusFields: ['note'],
    },
    conditions: {
      Noted: { Done: ['True', 'it is noted'], Waiting: ['Unknown', 'nothing is there yet'] },
      Legible: { So: ['True', 'it can be read'] },
    },
    ...{ desire: note, assess: noted },
    ...changes,
  } as object);

const working = widget('web', { maps: { a: { size: '1' } }, workload: true });
const idle = widget('web', { maps: { a: { size: '1' } } });

let opened: GivenOperator[] = [];
afterEach(async () => {
  for (const operator of opened) await operator.close();
  opened = [];
});

async function given(
  options: ConstructorParameters<typeof GivenOperator>[0] = {},
  memory?: GivenOperator['memory'],
): Promise<GivenOperator> {
  const operator = await new GivenOperator({ controllers: [leader(), joined()], ...options }, memory).start();
  opened.push(operator);
  return operator;
}

async function names({ memory }: GivenOperator): Promise<string[]> {
  return (await memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name).sort();
}

/** A cluster that refuses what this is true of. */
const refusing =
  (isRefused: (verb: string, kind: string, name: string, manager: string) => boolean) =>
  (cluster: Cluster): Cluster => {
    const refuse = (verb: string, kind: string, name: string, manager: string) => {
      if (isRefused(verb, kind, name, manager)) throw new ApiError('no right', { code: 403, reason: 'Forbidden' });
    };
    return {
      ...bound(cluster),
      create: async (kind, object, options) => {
        refuse('create', kind.kind, object.metadata.name, options.manager);
        return cluster.create(kind, object, options);
      },
      apply: async (kind, object, options) => {
        refuse(options.subresource ?? 'apply', kind.kind, object.metadata.name, options.manager);
        return cluster.apply(kind, object, options);
      },
    };
  };

describe('two controllers of one kind', () => {
  it('R16 make each its own objects, and say each its own of one status', async () => {
    const operator = await given();
    await operator.given(widgetKind, working);
    expect(await names(operator)).toEqual(['web-a', 'web-note']);
    const status = (await operator.widget())?.['status'];
    expect(status).toMatchObject({ size: 1, note: 'Done', observedGeneration: 1, retryCount: 0 });
    const said = status.conditions.map((one: { type: string; status: string }) => `${one.type} ${one.status}`);
    expect(said.toSorted()).toEqual(['Accepted True', 'Noted True', 'Ready True', 'Sized True']);
  });

  it.each<{ reads: string; isAsked: boolean; look: (siblings: Facts['siblings']) => unknown }>([
    { reads: 'Deployments', isAsked: true, look: (siblings) => siblings.one(Deployment) },
    { reads: 'everything', isAsked: true, look: (siblings) => siblings.all() },
    { reads: 'another kind', isAsked: false, look: (siblings) => siblings.of(ConfigMap) },
    { reads: 'nothing', isAsked: false, look: () => undefined },
  ])(
    "R17 a controller that reads $reads of the others' is asked again by the status of a Deployment: $isAsked",
    async ({ isAsked, look }) => {
      let calls = 0;
      const looking = joined({
        watchesSiblings: [Deployment, ConfigMap],
        desire: () => {
          calls++;
        },
        assess: (({ siblings }) => {
          calls++;
          look(siblings);
          return { conditions: { Noted: { reason: 'Done' } } };
        }) as Assess,
      });
      const operator = await given({ controllers: [leader(), looking] });
      await operator.given(widgetKind, working);
      calls = 0;
      await operator.status(Deployment, { readyReplicas: 1 });
      expect(calls > 0).toBe(isAsked);
    },
  );

  it("are notified of each other's objects", async () => {
    const operator = await given();
    await operator.given(widgetKind, working);
    const object = await operator.memory.read(ConfigMap, { namespace: 'team', name: 'web-note' });
    expect(object).toMatchObject({ data: { count: '1' } });
  });

  it('R17 come to rest, in a new process too', async () => {
    const operator = await given();
    await operator.given(widgetKind, working);
    await operator.clock.advance(120_000);
    await operator.stop();
    operator.memory.forgetWrites();
    const next = await given({}, operator.memory);
    await next.clock.advance(120_000);
    expect(next.writes).toEqual([]);
  });

  it('R17 cost no pass of the second one for a resource that does not concern it', async () => {
    const costOf = async (controllers: readonly Controller[]) => {
      const operator = await given({ controllers });
      await operator.given(widgetKind, idle);
      await operator.given(widgetKind, widget('web', { maps: { a: { size: '2' } } }));
      await operator.given(ConfigMap, configMap('web-a', { data: { size: '3' } }));
      await operator.clock.advance(100_000);
      return { passes: operator.passes.length, writes: operator.writes };
    };
    expect(await costOf([leader(), joined()])).toEqual(await costOf([leader()]));
  });

  it('delete their objects and conditions when a resource is no longer relevant', async () => {
    const operator = await given();
    await operator.given(widgetKind, working);
    await operator.given(widgetKind, idle);
    expect(await names(operator)).toEqual(['web-a']);
    const resource = await operator.widget();
    expect(resource?.['status']).toMatchObject({ size: 1 });
    expect(resource?.['status']).not.toHaveProperty('note');
    expect(conditionOf(resource, 'Noted')).toBeUndefined();
    const before = operator.passes.length;
    await operator.given(widgetKind, widget('web', { maps: { a: { size: '2' } } }));
    expect(operator.passes.length - before).toBe(1);
  });

  it('remove their conditions if they have no objects', async () => {
    const operator = await given({ controllers: [leader(), joined({ desire: () => {} })] });
    await operator.given(widgetKind, working);
    expect(conditionOf(await operator.widget(), 'Noted')).toBeDefined();
    await operator.given(widgetKind, idle);
    expect(conditionOf(await operator.widget(), 'Noted')).toBeUndefined();
  });

  it('take back what a process made that died before it could say so', async () => {
    const faults = refusing((verb, _, __, manager) => verb === 'status' && manager.includes('noter'));
    const operator = await given({ faults });
    await operator.given(widgetKind, working);
    await operator.stop();
    await operator.given(widgetKind, idle);
    expect(await names(operator)).toEqual(['web-a', 'web-note']);
    expect(await names(await given({}, operator.memory))).toEqual(['web-a']);
  });

  it('R24 fail each for itself: the second one says so in its first condition', async () => {
    const operator = await given({ faults: refusing((verb, _, name) => verb === 'create' && name === 'web-note') });
    await operator.given(widgetKind, working);
    const resource = await operator.widget();
    expect(conditionOf(resource, 'Noted')).toMatchObject({ status: 'False', reason: 'ApplyRejected' });
    expect(conditionOf(resource, 'Ready')).toMatchObject({ status: 'True' });
    expect(resource?.['status']).toMatchObject({ size: 1, observedGeneration: 1, retryCount: 0 });
  });

  it('R24 fail each for itself: the leader takes nothing for its own that the second one says', async () => {
    const operator = await given({ faults: refusing((verb, kind) => verb === 'apply' && kind === 'ConfigMap') });
    await operator.given(widgetKind, working);
    await operator.given(widgetKind, widget('web', { maps: { a: { size: '2' } }, workload: true }));
    const resource = await operator.widget();
    expect(conditionOf(resource, 'Ready')).toMatchObject({ status: 'False', reason: 'ApplyRejected' });
    const { managedFields } = (resource?.metadata ?? {}) as { readonly managedFields?: readonly { manager: string }[] };
    const leaders = JSON.stringify(managedFields?.filter(({ manager }) => manager === 'reconstruct-widget'));
    expect(leaders).toContain('Sized');
    expect(leaders).not.toMatch(/f:note|Noted/);
  });

  it('R28 finalize each for itself', async () => {
    const operator = await given({ controllers: [leader({ finalizes: true }), joined({ finalizes: true })] });
    await operator.given(widgetKind, working);
    const uid = (await operator.widget())?.metadata.uid;
    await operator.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid: uid ?? '' });
    await operator.clock.advance(20_000);
    expect(await names(operator)).toEqual([]);
    expect(await operator.widget()).toBeUndefined();
  });

  it.each([
    { so: 'are both primary', second: leader({ name: 'other' }) },
    { so: 'both report condition Sized', second: joined({ conditions: { Sized: { Fits: ['True', 'so'] } } }) },
    { so: 'both write status.size', second: joined({ statusFields: ['size'] }) },
    { so: 'two controllers are named widget', second: joined({ name: 'widget' }) },
  ])('are not run together when $so', ({ so, second }) => {
    const options = { ...new GivenOperator().operator.options, controllers: [leader(), second] };
    expect(() => new Operator(options)).toThrow(so);
  });
});

describe('a kind that the API server does not serve, or does not show', () => {
  const asked: boolean[] = [];
  const desire: Desire = (_, facts) => void asked.push(facts.isServed(Job));
  const owning = (kind: typeof Job) => widgetController({ owns: [ConfigMap, kind], desire } as object);
  const reading = (kind: typeof Job) => {
    const reads = ({ matchingLabels }: Refer) => ({ jobs: matchingLabels(kind, () => ({ labels: {} })) });
    return widgetController({ reads, desire } as object);
  };
  const refusing = (error: ApiError) => (cluster: Cluster) => {
    const refused = (kind: ObjectKind) => kind.kind === 'Job' && error;
    return {
      ...bound(cluster),
      watch: (kind, query) => {
        if (refused(kind)) throw error;
        return cluster.watch(kind, query);
      },
      list: async (kind, query) => {
        if (refused(kind)) throw error;
        return cluster.list(kind, query);
      },
    } satisfies Cluster;
  };
  const unserved = new ApiError('it is not served', { code: 404, reason: 'NotFound' });
  const forbidden = new ApiError('it is forbidden', { code: 403, reason: 'Forbidden' });

  it.each([
    { holds: true, controller: owning(Job), error: unserved, when: 'it is made' },
    { holds: false, controller: owning(optional(Job)), error: unserved, when: 'it is made and optional' },
    { holds: true, controller: owning(optional(Job)), error: forbidden, when: 'it is made and may not be seen' },
    { holds: true, controller: reading(Job), error: forbidden, when: 'it is read and may not be seen' },
    { holds: false, controller: reading(optional(Job)), error: unserved, when: 'it is read and optional' },
    { holds: false, controller: reading(optional(Job)), error: forbidden, when: 'it is optional and may not be seen' },
  ])('holds passes up and is complained of: $holds, when $when', async ({ holds, controller, error }) => {
    asked.length = 0;
    const operator = await given({ controllers: [controller], faults: refusing(error) });
    await operator.given(widgetKind, idle);
    await settled();
    expect(asked).toEqual(holds ? [] : [false]);
    expect(operator.complaints.length > 0).toBe(holds);
    expect(operator.operator.ready).toBe(!holds || error === unserved);
  });

  it.each([{ controller: owning(optional(Job)) }, { controller: reading(optional(Job)) }])(
    'is not one that it does',
    async ({ controller }) => {
      asked.length = 0;
      await (await given({ controllers: [controller] })).given(widgetKind, idle);
      expect(asked).toEqual([true]);
    },
  );
});
