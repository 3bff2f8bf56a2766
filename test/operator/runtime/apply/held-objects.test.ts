import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { ConfigMap, Deployment, Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { keep, leave } from '../../../../operator/runtime/rendering/keep.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse } from '../given/house.js';
import { closeAll, givenGatherers } from '../given/oracle.js';
import { gathererController, gathererKind, hastyController, oracle } from '../given/pollers.js';
import { add, conditionOf, type Widget, widgetController, widgetKind } from '../given/widgets.js';

afterEach(closeAll);

const question = { question: 'colour', every: 10_000 };
const place = { namespace: 'team', name: 'one-said' };

/** A process that has an answer, then one that waits for its first one. */
async function givenRestart(controller: Controller) {
  const first = await givenGatherers({ controllers: [controller] });
  await first.apply('one', question);
  await first.last().answer('red');
  const { memory } = first.given;
  const uid = (await memory.read(ConfigMap, place))?.metadata.uid;
  await first.given.close();
  const next = await givenGatherers({ controllers: [controller] }, memory);
  const now = async () => (await memory.read(ConfigMap, place))?.metadata.uid;
  const held = async () => {
    const resource = await memory.read(gathererKind as ObjectKind, { namespace: 'team', name: 'one' });
    return conditionOf(resource, 'PruningHeld') as Loose | undefined;
  };
  return { ...next, uid, now, held };
}

describe('an answer that is not there yet', () => {
  test('takes no object away after a restart, whatever is rendered meanwhile', async () => {
    const { given, uid, now, last } = await givenRestart(hastyController());
    expect(await now()).toBe(uid);
    await last().answer('red');
    expect(await now()).toBe(uid);
    expect(given.writes.filter((write) => write.startsWith('remove'))).toEqual([]);
  });

  test('is named by a condition after a minute, with the objects that stay, and no more once it is there', async () => {
    const { given, held, last } = await givenRestart(hastyController());
    await given.clock.advance(59_000);
    expect(await held()).toBeUndefined();
    await given.clock.advance(2_000);
    expect(await held()).toMatchObject({
      status: 'True',
      reason: 'NotKnown',
      message: expect.stringMatching(
        /^Not pruned since \S+Z: ConfigMap one-said, because poll said has no answer: \S.*$/,
      ),
    });
    await given.clock.advance(9_500); // the next poll has begun
    await last().answer('red');
    expect(await held()).toBeUndefined();
  });

  test('holds nothing that the answer has no part in', async () => {
    const { now } = await givenRestart(hastyController({ optionalPolls: ['said'] }));
    expect(await now()).toBeUndefined();
    const all = await givenRestart(hastyController({ optionalPolls: 'all' }));
    expect(await all.now()).toBeUndefined();
    const other = await givenRestart(hastyController({ optionalPolls: ['other'] }));
    expect(await other.now()).toBe(other.uid);
  });

  test('holds nothing if it is not read', async () => {
    const { desire } = gathererController;
    const unread = { ...gathererController, polls: { ...gathererController.polls } } as Controller;
    const first = await givenGatherers({ controllers: [{ ...unread, desire } as Controller] });
    await first.apply('one', question);
    const blind = { ...unread, desire: () => {} } as Controller;
    await first.given.close();
    const next = await givenGatherers({ controllers: [blind] }, first.given.memory);
    expect(await next.given.memory.read(ConfigMap, place)).toBeUndefined();
  });

  test('holds the objects of a resource that is being deleted too, until it is there', async () => {
    const finalizing = { finalizes: true } as const;
    const { given, now, uid, last } = await givenRestart(hastyController(finalizing));
    const { memory } = given;
    const { metadata } = (await memory.read(gathererKind as ObjectKind, { namespace: 'team', name: 'one' })) as Loose;
    await memory.remove(gathererKind as ObjectKind, metadata, { uid: metadata.uid });
    await settled();
    expect(await now()).toBe(uid);
    await last().answer('red');
  });
});

describe('what desire keeps', () => {
  const keeping = (what: 'all' | 'one') =>
    widgetController({
      desire: (scope, { resource }) => {
        const { metadata, spec } = resource as Widget;
        if (spec.workload && what === 'all') return keep(scope);
        if (spec.workload) keep(scope, { kind: ConfigMap, name: `${metadata.name}-a` });
        for (const [end, data] of Object.entries(spec.maps ?? {}))
          add(scope, 'v1', 'ConfigMap', `${metadata.name}-${end}`, { data });
      },
    });

  test('stays, all of it, and is seen by assess', async () => {
    const house = new GivenHouse({ controller: keeping('all') });
    await house.givenWidget({ maps: { a: {}, b: {} } });
    await house.pass();
    await house.givenWidget({ maps: {}, workload: true });
    expect(await house.pass()).toEqual(['apply Widget/status team/web']);
    expect(await house.names(ConfigMap)).toEqual(['team/web-a', 'team/web-b']);
    expect((await house.widget())['status'].size).toBe(2);
    house.close();
  });

  test('stays, one object of several', async () => {
    const house = new GivenHouse({ controller: keeping('one') });
    await house.givenWidget({ maps: { a: {}, b: {} } });
    await house.pass();
    await house.givenWidget({ maps: {}, workload: true });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
    await house.givenWidget({ maps: {} });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
    house.close();
  });

  test('is pruned by the next reconcile that does not keep it, also from the same resource version', async () => {
    let isKept = true;
    const house = new GivenHouse({
      controller: widgetController({
        desire: (scope) => (isKept ? keep(scope) : undefined),
      }),
    });
    const made = new GivenHouse({ memory: house.memory });
    await made.givenWidget({ maps: { a: {} } });
    await made.pass();
    made.close();
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
    isKept = false;
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
    house.close();
  });

  test('holds the finalizer of a resource without objects, names the cause, and goes when a person releases it', async () => {
    let why: string | undefined = 'the cluster east is away';
    const controller = widgetController({
      finalizes: { external: () => true },
      desire: (scope) => (why === undefined ? undefined : keep(scope, undefined, why)),
    });
    const house = new GivenHouse({ controller });
    await house.givenWidget({});
    await house.pass();
    await house.removed(widgetKind, 'web');
    await house.pass();
    const { uid } = (await house.widget()).metadata;
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      reason: 'Terminating',
      message: `Deletion is in progress, held because the cluster east is away; to release it without the rest of its cleanup, annotate it with reconstruct.dev/release=${uid}`,
    });
    why = undefined;
    await house.pass();
    expect(await house.find(widgetKind, { namespace: 'team', name: 'web' })).toBeUndefined();
    house.close();
  });

  test('must be of a kind that the controller owns', async () => {
    const controller = widgetController({
      owns: [ConfigMap],
      desire: (scope) => keep(scope, { kind: Deployment, name: 'web' }),
    });
    const house = new GivenHouse({ controller });
    await house.givenWidget();
    await expect(house.pass()).rejects.toThrow(
      'widget keeps Deployment web, which it does not own: add Deployment.apps to owns',
    );
    house.close();
  });
});

describe('what desire leaves as it is', () => {
  const leaving = widgetController({
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget;
      if (spec.workload) return leave(scope, { kind: ConfigMap, name: `${metadata.name}-a` });
      for (const [end, data] of Object.entries(spec.maps ?? {}))
        add(scope, 'v1', 'ConfigMap', `${metadata.name}-${end}`, { data });
    },
  });
  const web = { namespace: 'team', name: 'web-a' };
  /** A Widget whose first ConfigMap is left, and whose second one is no longer desired. */
  async function givenLeft() {
    const house = new GivenHouse({ controller: leaving });
    await house.givenWidget({ maps: { a: { key: 'old' }, b: {} } });
    await house.pass();
    await house.givenWidget({ maps: {}, workload: true });
    return house;
  }

  test('stays, is seen by assess, and nothing else of the resource stays', async () => {
    const house = await givenLeft();
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
    expect((await house.widget())['status'].size).toBe(1);
    expect(await house.pass()).toEqual([]);
    house.close();
  });

  test('is not repaired after an edit of others', async () => {
    const house = await givenLeft();
    await house.pass();
    const edit = { apiVersion: 'v1', kind: 'ConfigMap', metadata: web, data: { key: 'theirs' } };
    await house.memory.apply(ConfigMap, edit, { manager: 'somebody' });
    await house.pass();
    expect(((await house.find(ConfigMap, web)) as Loose)['data']).toEqual({ key: 'theirs' });
    house.close();
  });

  test('is not created again after a deletion, also at the moment of the reconcile', async () => {
    const house = await givenLeft();
    await house.removed(ConfigMap, 'web-a');
    await house.pass();
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
    house.close();
  });

  test('is pruned once desire does not leave it', async () => {
    const house = await givenLeft();
    await house.pass();
    await house.givenWidget({ maps: {} });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
    house.close();
  });

  test('is named by no condition, unlike what desire keeps', async () => {
    const said = { kind: ConfigMap, name: 'one-said' };
    const heldBy = async (desire: Controller['desire']) => {
      const { desire: _, ...gatherer } = hastyController({ optionalPolls: 'all' });
      const first = await givenGatherers({ controllers: [gathererController] });
      await first.apply('one', question);
      await first.last().answer('red');
      const { memory } = first.given;
      await first.given.close();
      const next = await givenGatherers({ controllers: [{ ...gatherer, desire }] }, memory);
      await next.given.clock.advance(180_000);
      const resource = await memory.read(gathererKind as ObjectKind, { namespace: 'team', name: 'one' });
      expect(await memory.read(ConfigMap, place)).toBeDefined();
      return conditionOf(resource, 'PruningHeld') as Loose | undefined;
    };
    expect(await heldBy((scope) => keep(scope, said))).toMatchObject({ status: 'True' });
    expect(await heldBy((scope) => leave(scope, said))).toBeUndefined();
  });

  test('must be of a kind that the controller owns', async () => {
    const controller = widgetController({
      owns: [ConfigMap],
      desire: (scope) => leave(scope, { kind: Deployment, name: 'web' }),
    });
    const house = new GivenHouse({ controller });
    await house.givenWidget();
    await expect(house.pass()).rejects.toThrow('which it does not own: add Deployment.apps to owns');
    house.close();
  });
});

describe('a prune', () => {
  test('is one event for each reconcile, which lists the objects', async () => {
    const house = new GivenHouse();
    await house.givenWidget({ maps: { a: {}, b: {}, c: {} } });
    await house.pass();
    await house.givenWidget({ maps: { c: {} } });
    await house.pass();
    expect(await house.events()).toEqual([
      'Normal Created: Created ConfigMap web-a, ConfigMap web-b, ConfigMap web-c',
      'Normal Pruned: Deleted what is no longer desired by generation 2 of Widget web: ConfigMap web-a, ConfigMap web-b',
    ]);
    await house.pass();
    expect((await house.memory.list(Event, {})).items).toHaveLength(2);
    house.close();
  });

  test('is an info line for each object', async () => {
    const lines: unknown[] = [];
    const house = new GivenHouse();
    const info = (fields: object, message: string) => void lines.push({ ...fields, message });
    const { telemetry } = house.place;
    house.place = { ...house.place, telemetry: { ...telemetry, log: { ...telemetry.log, info } } };
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    await house.givenWidget({ maps: {} });
    await house.pass();
    expect(lines).toEqual([
      { controller: 'widget', key: 'team/web', object: 'ConfigMap team/web-a', message: 'Pruned object' },
    ]);
    house.close();
  });

  test('is no event for a resource that is being deleted', async () => {
    const house = new GivenHouse({ controller: widgetController({ finalizes: true }) });
    await house.givenWidget();
    await house.pass();
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
    expect(await house.events()).toEqual(['Normal Created: Created ConfigMap web-a']);
    house.close();
  });
});

test('a controller that names its optional polls names polls that it has', () => {
  const poll = { said: undefined };
  expect(() =>
    defineController({
      kind: gathererKind,
      owns: [ConfigMap],
      conditions: {},
      polls: (ask) => ({ said: ask(oracle, () => poll.said) }),
      optionalPolls: ['sayd' as 'said'],
      desire: () => {},
      assess: () => ({ conditions: {} }),
    }),
  ).toThrow('controller gatherer: optionalPolls has sayd, which is no poll: name one of said');
});
