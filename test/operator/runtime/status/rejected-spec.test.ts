import { afterEach, describe, expect, it, test } from 'vitest';
import type { Outcome } from '../../../../operator/runtime/controller/facts.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, ControllerRevision } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf, type Widget, type WidgetSpec, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const good: WidgetSpec = { maps: { a: { size: '1' } } };
const bad: WidgetSpec = { maps: { b: {} }, rejected: 'set size to 1 or more, got 0' };
const name = { namespace: 'team', name: 'web-a' };

/** A Widget that was accepted, with a diary of the lists that were asked for beside the watches. */
async function accepted(changes: Parameters<typeof widgetController>[0] = {}, faults = (cluster: Cluster) => cluster) {
  const lists: string[] = [];
  const noted = (cluster: Cluster): Cluster => ({
    ...bound(faults(cluster)),
    list: (kind, query) => {
      lists.push(kind.kind);
      return cluster.list(kind, query);
    },
  });
  house = new GivenHouse({ controller: widgetController(changes), faults: noted });
  await house.givenWidget(good);
  await house.pass();
  return { house, lists };
}

/** What a pass wrote, revisions by the name of their resource. */
async function pass(house: GivenHouse): Promise<string[]> {
  return (await house.pass()).map((write) => write.replace(/-[0-9a-f]{10}$/, ''));
}

/** Somebody deletes the ConfigMap. */
const damage = (house: GivenHouse) => house.removed(ConfigMap, 'web-a');

const mended = 'create ConfigMap team/web-a';
const alone = `${bad.rejected}; no accepted spec is known, so its objects stay unchanged`;
const outdated = `${bad.rejected}; the last accepted spec cannot be applied now, so its objects stay unchanged`;

describe('a rejected spec', () => {
  test('R27 keeps running objects, reports the reason, and an edit fixes it', async () => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    expect(await pass(house)).toEqual(['create ControllerRevision team/web', 'apply Widget/status team/web']);
    const why = { status: 'False', reason: 'NotPossible', message: bad.rejected, observedGeneration: 2 };
    expect(conditionOf(await house.widget(), 'Accepted')).toMatchObject(why);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject(why);
    expect(conditionOf(await house.widget(), 'Sized')).toMatchObject({ status: 'True' });
    expect(house.recheck).toBeUndefined();
    expect((await house.events()).toSorted()).toEqual([
      'Normal Created: Created ConfigMap web-a',
      `Warning NotPossible: ${bad.rejected}`,
    ]);
    expect(await pass(house)).toEqual([]);
    await house.givenWidget({ maps: { a: { size: '2' } } });
    expect(await pass(house)).toEqual([
      'remove ControllerRevision team/web',
      'apply ConfigMap team/web-a',
      'apply Widget/status team/web',
    ]);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  it.each([
    { what: 'is deleted', act: damage, mends: [mended] },
    {
      what: 'is edited',
      act: (house: GivenHouse) =>
        house.memory.patch(ConfigMap, name, [{ op: 'replace', path: '/data/size', value: '9' }], somebody),
      mends: ['apply ConfigMap team/web-a'],
    },
    {
      what: 'outlives another bad edit, and is deleted',
      act: async (house: GivenHouse) => {
        await house.givenWidget({ ...bad, maps: {} });
        await house.pass();
        await damage(house);
      },
      mends: [mended],
    },
  ])('R27 mends by the last accepted spec what $what', async ({ act, mends }) => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    await house.pass();
    await act(house);
    await settled();
    expect(await pass(house)).toEqual(mends);
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '1' } });
    expect(await pass(house)).toEqual([]);
  });

  it('R27 is assessed by the running objects', async () => {
    const judged: unknown[] = [];
    const assess = ({ resource, accepted }: Outcome) => {
      judged.push([accepted, (resource as Widget).spec, resource.metadata.generation]);
      return { conditions: {} };
    };
    const { house } = await accepted({ assess });
    await house.givenWidget(bad);
    await house.pass();
    expect(judged).toEqual([
      [true, good, 1],
      [false, good, 1],
    ]);
  });

  it.each([
    { keepsRevisions: 'whenRejected', edited: 'while it runs', mends: [mended], lists: 1 },
    { keepsRevisions: 'always', edited: 'while it runs', mends: [mended], lists: 1 },
    { keepsRevisions: 'never', edited: 'while it runs', mends: [], lists: 0 },
    { keepsRevisions: 'whenRejected', edited: 'while it is away', mends: [], lists: 0 },
    { keepsRevisions: 'always', edited: 'while it is away', mends: [mended], lists: 1 },
  ] as const)(
    'R27 with revisions kept $keepsRevisions, edited $edited, is mended by another process with $mends',
    async (row) => {
      const { house, lists } = await accepted({ keepsRevisions: row.keepsRevisions });
      await house.givenWidget(bad);
      if (row.edited === 'while it runs') await house.pass();
      house.restart();
      await damage(house);
      await house.givenWidget({ ...bad, workload: true });
      lists.length = 0;
      const writes = (await pass(house)).filter((write) => !write.includes('status'));
      expect(writes).toEqual(row.mends);
      expect(await pass(house)).toEqual([]);
      expect(lists).toHaveLength(row.lists);
    },
  );

  it('R27 says that nothing can be mended when no accepted spec is known, as long as something runs', async () => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    house.restart();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Accepted')?.['message']).toBe(alone);
    await damage(house);
    await house.pass();
    expect(conditionOf(await house.widget(), 'Accepted')?.['message']).toBe(bad.rejected);
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  it('R27 never goes back behind a spec that was accepted since', async () => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    await house.pass();
    await house.givenWidget({ maps: { a: { size: '2' } } });
    await house.pass();
    await house.givenWidget(bad);
    house.restart();
    await damage(house);
    expect(await pass(house)).toEqual(['apply Widget/status team/web']);
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  it('R27 never goes back behind one that was accepted since, though its process died before it said so', async () => {
    let isDying = false;
    const { house } = await accepted({}, (cluster) => ({
      ...bound(cluster),
      apply: async (kind, object, options) => {
        if (isDying && options.subresource === 'status') throw new Error('died');
        return cluster.apply(kind, object, options);
      },
    }));
    await house.givenWidget(bad);
    await house.pass();
    await house.givenWidget({ maps: { a: { size: '2' } } });
    isDying = true;
    await expect(house.pass()).rejects.toThrow('died');
    isDying = false;
    await house.givenWidget(bad);
    house.restart();
    await house.pass();
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '2' } });
  });

  it('R27 is not mended by what the code of today rejects too', async () => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    const desire = () => {
      throw new RejectedError('NotPossible', bad.rejected ?? '');
    };
    house.place = { ...house.place, controller: widgetController({ desire }) };
    await house.pass();
    expect(conditionOf(await house.widget(), 'Accepted')?.['message']).toBe(outdated);
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
  });

  it.each([
    { when: 'belongs to another resource', change: { ownerReferences: [{ uid: 'other', controller: true }] } },
    { when: 'belongs to nobody', change: { ownerReferences: [] } },
  ])('R27 R34 is not mended by a revision that $when', async ({ change }) => {
    const { house } = await accepted();
    await house.givenWidget(bad);
    await house.pass();
    const [revision] = (await house.memory.list(ControllerRevision, {})).items;
    const { ownerReferences } = change;
    const patch = [{ op: 'replace', path: '/metadata/ownerReferences', value: ownerReferences }] as const;
    await house.memory.patch(ControllerRevision, revision?.metadata ?? name, patch, somebody);
    house.restart();
    await damage(house);
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  it.each([{ value: null }, { value: 'text' }, { value: {} }])(
    'R27 R34 bears a revision that holds $value',
    async ({ value }) => {
      const { house } = await accepted();
      await house.givenWidget(bad);
      await house.pass();
      const [revision] = (await house.memory.list(ControllerRevision, {})).items;
      await house.memory.patch(
        ControllerRevision,
        revision?.metadata ?? name,
        [{ op: 'add', path: '/data', value }],
        somebody,
      );
      house.restart();
      await damage(house);
      await house.pass();
      expect(conditionOf(await house.widget(), 'Accepted')).toMatchObject({ status: 'False' });
      expect(await house.names(ConfigMap)).toEqual([]);
    },
  );

  it('R27 is repaired from memory if no revision can be written', async () => {
    const { house } = await accepted({}, (cluster) => ({
      ...bound(cluster),
      create: async (kind, ...rest) => {
        if (kind.kind === ControllerRevision.kind) throw failure(403, 'Forbidden');
        return cluster.create(kind, ...rest);
      },
    }));
    await house.givenWidget(bad);
    await house.pass();
    await damage(house);
    expect(await pass(house)).toEqual([mended]);
  });

  it('R27 of a resource that is being deleted is undone by the last accepted spec', async () => {
    const { house } = await accepted({ finalizes: true });
    await house.givenWidget(bad);
    await house.pass();
    await house.removed(widgetKind, 'web');
    await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.names(ConfigMap)).toEqual([]);
  });
});

describe('an accepted spec', () => {
  it('R27 costs no request for a revision', async () => {
    const { house, lists } = await accepted();
    await house.givenWidget({ maps: { a: { size: '2' } } });
    expect(await pass(house)).toEqual(['apply ConfigMap team/web-a', 'apply Widget/status team/web']);
    expect(lists.filter((kind) => kind === ControllerRevision.kind)).toEqual([]);
    expect(await house.names(ControllerRevision)).toEqual([]);
  });

  it('R27 is kept before anything is made of it where each is, and the one before it goes', async () => {
    house = new GivenHouse({ controller: widgetController({ keepsRevisions: 'always' }) });
    await house.givenWidget(good);
    const status = 'apply Widget/status team/web';
    expect(await pass(house)).toEqual(['create ControllerRevision team/web', mended, status]);
    house.restart();
    expect(await pass(house)).toEqual([]);
    await house.givenWidget({ maps: { a: { size: '2' } } });
    expect(await pass(house)).toEqual([
      'create ControllerRevision team/web',
      'remove ControllerRevision team/web',
      'apply ConfigMap team/web-a',
      status,
    ]);
    const { items } = await house.memory.list(ControllerRevision, {});
    expect(items).toMatchObject([{ revision: 2, data: { spec: { maps: { a: { size: '2' } } } } }]);
  });
});
