import { expect, it } from 'vitest';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import { ForeignDeletions } from '../../../../operator/runtime/memory/foreign-deletions.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetKind } from '../given/widgets.js';

const at = { owners: ['web'], place: 'Pod team/web-0' };

it.each<{ is: readonly string[]; when: string; act: (deletions: ForeignDeletions) => void }>([
  { is: [at.place], when: 'another client deleted it', act: (one) => one.note('pod', at) },
  {
    is: [],
    when: 'this process requested its deletion, which ends later',
    act: (one) => {
      one.request('pod');
      one.note('pod', at);
    },
  },
  {
    is: [at.place],
    when: 'this process requested the deletion of an earlier object of the name',
    act: (one) => {
      one.request('earlier');
      one.done('earlier');
      one.note('pod', at);
    },
  },
  {
    is: [],
    when: 'it is as desired since',
    act: (one) => {
      one.note('pod', at);
      one.settle('web', one.of('web'));
    },
  },
  {
    is: ['Pod team/web-1'],
    when: 'another one is deleted while the first is created again',
    act: (one) => {
      one.note('pod', at);
      const known = one.of('web');
      one.note('other', { ...at, place: 'Pod team/web-1' });
      one.settle('web', known);
    },
  },
])('R32 another client deleted $is if $when', ({ is, act }) => {
  const deletions = new ForeignDeletions();
  act(deletions);
  expect([...deletions.of('web')]).toEqual(is);
});

it('R32 at most 250 objects of a resource are remembered', () => {
  const deletions = new ForeignDeletions();
  for (let n = 0; n < 300; n++) deletions.note(`job-${n}`, { owners: ['web'], place: `Job team/web-${n}` });
  expect([deletions.of('web').size, deletions.of('web').has('Job team/web-0')]).toEqual([250, false]);
  deletions.forget('web');
  expect(deletions.of('web').size).toBe(0);
});

it('R32 no other client is named for an object whose requested deletion ends later', async () => {
  const given = await new GivenOperator().start();
  const say = (maps: object) => given.given(widgetKind, widget('web', { maps } as object));
  const name = { namespace: 'team', name: 'web-a' };
  const hold = (value: readonly string[]) =>
    given.memory.patch(ConfigMap, name, [{ op: 'add', path: '/metadata/finalizers', value }], { manager: 'somebody' });
  await say({ a: {} });
  await hold(['example.org/hold']);
  await say({});
  await say({ a: {} });
  await hold([]);
  await settled();
  await given.clock.advance(10_000);
  const { items } = await given.memory.list(Event, {});
  expect(items.map((event) => (event as Loose)['reason'])).not.toContain('Recreated');
  expect(await given.memory.read(ConfigMap, name)).toBeDefined();
  await given.close();
});
