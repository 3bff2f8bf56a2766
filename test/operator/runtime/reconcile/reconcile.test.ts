import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { conditionOf, widget, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
const open = (...props: ConstructorParameters<typeof GivenHouse>) => {
  house = new GivenHouse(...props);
  return house;
};
afterEach(() => house.close());

describe('a pass', () => {
  it('R19 makes everything, wave after wave, and then says so', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {}, b: {} }, workload: true });
    expect(await house.pass()).toEqual([
      'create ConfigMap team/web-a',
      'create ConfigMap team/web-b',
      'create Service team/web',
      'create Deployment team/web',
      'create HorizontalPodAutoscaler team/web',
      'apply Widget/status team/web',
    ]);
    expect((await house.widget())['status']).toMatchObject({ size: 2, retryCount: 0, observedGeneration: 1 });
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  it('marks its objects with label, controlling owner and fingerprint', async () => {
    const house = open();
    const { metadata } = await house.givenWidget();
    await house.pass();
    expect((await house.read(ConfigMap, 'web-a')).metadata).toMatchObject({
      labels: { 'reconstruct.dev/controller': 'widget' },
      annotations: { 'reconstruct.dev/applied': expect.stringMatching(/^.{22}\..{22}$/) },
      ownerReferences: [
        {
          apiVersion: 'example.org/v1',
          kind: 'Widget',
          name: 'web',
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
  });

  it('R17 writes nothing at rest, in ten reconciles and in a new process', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {} }, workload: true });
    await house.pass();
    for (let n = 0; n < 10; n++) {
      await house.clock.advance(60_000);
      expect(await house.pass()).toEqual([]);
    }
    house.restart();
    expect(await house.pass()).toEqual([]);
  });

  it('changes only the fields of an edit', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: { size: '1' }, b: { size: '1' } } });
    await house.pass();
    await house.givenWidget({ maps: { a: { size: '2' }, b: { size: '1' } } });
    expect(await house.pass()).toEqual(['apply ConfigMap team/web-a', 'apply Widget/status team/web']);
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '2' } });
    expect((await house.widget())['status']).toMatchObject({ observedGeneration: 2 });
  });

  it('does nothing for a resource that is gone', async () => {
    const house = open();
    expect(await house.pass('team/nobody')).toEqual([]);
  });

  it('leaves a resource that is being deleted to the garbage collector, unless it finalizes', async () => {
    const house = open();
    await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
    await house.removed(widgetKind, 'web');
    expect(await house.pass()).toEqual([]);
  });
});

describe('changes to an owned object between two reconciles', () => {
  it.each([
    {
      mends: ['create ConfigMap team/web-a'],
      when: 'it is deleted',
      act: (h: GivenHouse) => h.removed(ConfigMap, 'web-a'),
    },
    {
      mends: ['apply ConfigMap team/web-a'],
      when: 'a field is edited',
      act: (h: GivenHouse) => edit(h, [{ op: 'replace', path: '/data/size', value: '9' }]),
    },
    {
      mends: ['apply ConfigMap team/web-a'],
      when: 'a field is removed',
      act: (h: GivenHouse) => edit(h, [{ op: 'remove', path: '/data/size' }]),
    },
    {
      mends: ['patch ConfigMap team/web-a', 'apply ConfigMap team/web-a'],
      when: 'its fingerprint is removed',
      act: (h: GivenHouse) => edit(h, [{ op: 'remove', path: '/metadata/annotations' }]),
    },
    {
      mends: ['create ConfigMap team/web-a', 'apply ConfigMap team/web-a'],
      when: 'its label is removed, so that no watch shows it',
      act: (h: GivenHouse) => edit(h, [{ op: 'remove', path: '/metadata/labels' }]),
    },
    {
      mends: [],
      when: 'another manager adds a field',
      act: (h: GivenHouse) => edit(h, [{ op: 'add', path: '/data/theirs', value: '1' }]),
    },
  ] as const)('R18 is mended with $mends when $when', async ({ mends, act }) => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const before = await house.read(ConfigMap, 'web-a');
    await act(house);
    expect(await house.pass()).toEqual(mends);
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({
      data: { size: '1' },
      metadata: { labels: before.metadata.labels, annotations: before.metadata.annotations },
    });
    expect(await house.pass()).toEqual([]);
  });

  const edit = async (house: GivenHouse, patch: Parameters<typeof house.memory.patch>[2]) => {
    await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, patch, somebody);
    await settled();
  };
});

describe('an object or field that is no longer rendered', () => {
  it('R18 of the fields goes, though they came with a create, and what others added stays', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: { old: '1', size: '1' } } });
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { data: { theirs: '1' } }));
    await house.givenWidget({ maps: { a: { size: '1' } } });
    await house.pass();
    expect((await house.read(ConfigMap, 'web-a'))['data']).toEqual({ size: '1', theirs: '1' });
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    expect((await house.read(ConfigMap, 'web-a'))['data']).toEqual({ theirs: '1' });
  });

  it('R22 of the objects is pruned in reverse order, after everything else is there', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {}, b: {} }, workload: true });
    await house.pass();
    await house.givenWidget({ maps: { a: {}, c: {} } });
    expect(await house.pass()).toEqual([
      'create ConfigMap team/web-c',
      'remove HorizontalPodAutoscaler team/web',
      'remove Deployment team/web',
      'remove Service team/web',
      'remove ConfigMap team/web-b',
      'apply Widget/status team/web',
    ]);
    expect(await house.pass()).toEqual([]);
  });

  it('R22 is not pruned while something could not be applied', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    await house.given(ConfigMap, configMap('web-b'));
    await house.givenWidget({ maps: { b: {} } });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/web-a', 'team/web-b']);
  });

  it("R22 never takes what is only labelled as ours, or another resource's", async () => {
    const house = open();
    const label = { labels: { 'reconstruct.dev/controller': 'widget' } };
    await house.given(ConfigMap, configMap('labelled', label));
    await house.given(widgetKind, widget('other', { maps: { a: {} } }));
    await house.pass('team/other');
    await house.givenWidget({ maps: {} });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/labelled', 'team/other-a']);
  });

  it('R22 is asked to go once, however long that takes', async () => {
    const house = open();
    await house.givenWidget({ maps: { a: {} } });
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
    await house.givenWidget({ maps: {} });
    expect(await house.pass()).toContain('remove ConfigMap team/web-a');
    expect(await house.pass()).toEqual([]);
  });
});
