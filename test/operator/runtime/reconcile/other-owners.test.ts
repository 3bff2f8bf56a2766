import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { adoptAnnotation } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { conditionOf, widget, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
const open = () => {
  house = new GivenHouse();
  return house;
};
afterEach(() => house.close());

const ownedBy = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'uid-of-another', controller: true }],
});

describe('an object of the desired name that is not ours', () => {
  it.each([
    {
      says: `ConfigMap web-a was not created by this Widget: delete it, or annotate it with ${adoptAnnotation}=team/web`,
      when: 'nobody controls it',
      metadata: {},
    },
    {
      says: 'ConfigMap web-a is controlled by Job import',
      when: 'another kind controls it',
      metadata: ownedBy('batch/v1', 'Job', 'import'),
    },
    {
      says: 'ConfigMap web-a is controlled by Widget other',
      when: 'another Widget controls it',
      metadata: ownedBy('example.org/v1', 'Widget', 'other'),
    },
    {
      says: 'ConfigMap web-a is controlled by Job import',
      when: 'it is handed over, but another controls it',
      metadata: { ...ownedBy('batch/v1', 'Job', 'import'), annotations: { [adoptAnnotation]: 'team/web' } },
    },
    {
      says: `ConfigMap web-a was not created by this Widget: delete it, or annotate it with ${adoptAnnotation}=team/web`,
      when: 'it is handed over to another',
      metadata: { annotations: { [adoptAnnotation]: 'team/other' } },
    },
    {
      says: 'ConfigMap web-a is controlled by Job import',
      when: 'another controls it and our watch shows it',
      metadata: { ...ownedBy('batch/v1', 'Job', 'import'), labels: { 'reconstruct.dev/controller': 'widget' } },
    },
  ])('R23 is left alone, and its owner is named, when $when', async ({ says, metadata }) => {
    const house = open();
    const theirs = await house.given(ConfigMap, configMap('web-a', { data: { size: 'theirs' }, ...metadata }));
    await house.givenWidget({ maps: { a: { size: '1' } }, workload: true });
    await house.pass();
    expect(await house.read(ConfigMap, 'web-a')).toEqual(theirs);
    expect(conditionOf(await house.widget(), 'Conflicted')).toMatchObject({
      status: 'True',
      reason: 'NotOwned',
      message: says,
    });
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'False', reason: 'NotOwned' });
    expect(conditionOf(await house.widget(), 'Stalled')).toMatchObject({ status: 'True' });
    expect(house.writes.filter((write) => write.includes('Deployment'))).toEqual([]); // a later wave
    expect(await house.events()).toEqual([`Warning NotOwned: ${says}`]);
    expect(house.recheck).toBe(30_000);
  });

  it('R23 is reported once', async () => {
    const house = open();
    await house.given(ConfigMap, configMap('web-a'));
    await house.givenWidget();
    await house.pass();
    expect(await house.pass()).toEqual(['create ConfigMap team/web-a']); // which is refused
    expect(await house.events()).toHaveLength(1);
  });

  it('R23 is taken over when a person annotated it, and what it had beside stays', async () => {
    const house = open();
    const annotations = { [adoptAnnotation]: 'team/web' };
    await house.given(ConfigMap, configMap('web-a', { data: { size: 'theirs', more: '1' }, annotations }));
    await house.givenWidget();
    await house.pass();
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '1', more: '1' } });
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
    expect(await house.pass()).toEqual([]);
  });

  it('R23 is taken when it goes away, and the conflict with it', async () => {
    const house = open();
    await house.given(ConfigMap, configMap('web-a'));
    await house.givenWidget();
    await house.pass();
    await house.removed(ConfigMap, 'web-a');
    await house.pass();
    expect(conditionOf(await house.widget(), 'Conflicted')).toBeUndefined();
    expect(conditionOf(await house.widget(), 'Stalled')).toBeUndefined();
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });
});

describe('an object that must go first', () => {
  it("is waited for when it is an earlier resource's of the same name", async () => {
    const house = open();
    await house.given(ConfigMap, configMap('web-a', ownedBy('example.org/v1', 'Widget', 'web')));
    await house.givenWidget();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'ObjectTerminating',
      message: 'ConfigMap web-a belongs to an earlier Widget web',
    });
    expect(conditionOf(await house.widget(), 'Reconciling')).toMatchObject({ status: 'True' });
    expect(house.recheck).toBe(5_000);
    await house.removed(ConfigMap, 'web-a');
    await house.pass();
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  it('is waited for when it is ours and being deleted', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
    await house.removed(ConfigMap, 'web-a');
    expect(await house.pass()).toEqual(['apply Widget/status team/web']);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      message: 'ConfigMap web-a is being deleted (held by finalizer example.org/theirs)',
    });
    await house.given(ConfigMap, configMap('web-a', { finalizers: [] }));
    expect(await house.pass()).toEqual(['create ConfigMap team/web-a', 'apply Widget/status team/web']);
  });
});

describe('a spec that is rejected at length', () => {
  it('R34 is told once, though only the beginning is said', async () => {
    const house = open();
    const rejected = `x${'🚀'.repeat(1_000)}`;
    await house.givenWidget({ maps: { a: {} }, rejected });
    await house.pass();
    await house.givenWidget({ maps: { b: {} }, rejected });
    await house.pass();
    expect(await house.pass()).toEqual([]);
    expect(await house.events()).toEqual([expect.stringMatching(/^Warning NotPossible: x🚀+…$/u)]);
    expect((await house.memory.list(Event, {})).items[0]).not.toHaveProperty('series');
  });
});

describe('two resources', () => {
  it('R34 of one name in two namespaces have nothing to do with each other', async () => {
    const house = open();
    await house.givenWidget();
    await house.given(widgetKind, widget('web', { maps: { a: { size: '2' } } }, { namespace: 'other' }));
    await house.pass();
    await house.pass('other/web');
    expect(await house.names(ConfigMap)).toEqual(['other/web-a', 'team/web-a']);
  });

  it.each(['constructor', '__proto__', 'toString'])('R34 bear a label called %s', async (label) => {
    const house = open();
    const labels = JSON.parse(`{"${label}":"x"}`) as Record<string, string>;
    await house.givenWidget({ maps: { a: JSON.parse(`{"${label}":"x"}`) as Record<string, string> } }, { labels });
    await house.pass();
    await house.memory.apply(ConfigMap, configMap('web-a', { labels }), somebody);
    expect(await house.pass()).toEqual([]);
    expect(Object.entries((await house.read(ConfigMap, 'web-a'))['data'])).toEqual([[label, 'x']]);
  });
});

describe('a status', () => {
  it('R24 removes an own condition that another client wrote, and keeps conditions of others', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const widget = await house.widget();
    const said = (type: string) => ({ type, status: 'True', reason: 'Forged', message: 'so' });
    const { apiVersion, kind } = widget;
    const forged = { apiVersion, kind, metadata: { name: 'web', namespace: 'team' } };
    const status = { conditions: [said('Stalled'), said('Theirs')] };
    await house.memory.apply(widgetKind, { ...forged, status } as Manifest, { ...somebody, subresource: 'status' });
    await settled();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Stalled')).toBeUndefined();
    expect(conditionOf(await house.widget(), 'Theirs')).toMatchObject({ reason: 'Forged' });
    expect(await house.pass()).toEqual([]);
  });
});
