import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('a key that a status record no longer has is removed', async () => {
  const assess: Controller['assess'] = ({ owned }) => ({
    conditions: { Sized: { reason: 'Fits' } },
    status: { note: Object.fromEntries(owned.of(ConfigMap).map(({ metadata }) => [metadata.name, 'there'])) } as object,
  });
  given = await new GivenOperator({ controllers: [widgetController({ assess } as object)] }).start();
  await given.given(widgetKind, widget('web', { maps: { a: {}, b: {} } }));
  expect((await given.widget())?.['status'].note).toEqual({ 'web-a': 'there', 'web-b': 'there' });
  const { memory } = given;
  const at = { namespace: 'team', name: 'web-b' };
  await given.given(widgetKind, widget('web', { maps: { a: {} } }));
  await given.clock.advance(600_000);
  expect(await memory.read(ConfigMap, at)).toBeUndefined();
  expect((await given.widget())?.['status'].note).toEqual({ 'web-a': 'there' });
});

it('a key that a status record no longer has is removed without an edit', async () => {
  let more = true;
  const assess: Controller['assess'] = () => ({
    conditions: { Sized: { reason: 'Fits' } },
    status: { note: more ? { a: 'x', b: 'y' } : { a: 'x' } } as object,
  });
  given = await new GivenOperator({ controllers: [widgetController({ assess } as object)] }).start();
  await given.given(widgetKind, widget('web', { maps: { a: {} } }));
  more = false;
  await given.given(widgetKind, widget('web', { maps: { a: {} } }, { labels: { looked: 'at' } }));
  await given.clock.advance(600_000);
  expect((await given.widget())?.['status'].note).toEqual({ a: 'x' });
});

it('a foreign key in a status record is removed once', async () => {
  const assess: Controller['assess'] = () => ({
    conditions: { Sized: { reason: 'Fits' } },
    status: { note: { a: 'x', more: { b: 'y' }, list: [{ c: 1 }] } } as object,
  });
  given = await new GivenOperator({ controllers: [widgetController({ assess } as object)] }).start();
  await given.given(widgetKind, widget('web', { maps: { a: {} } }));
  const { memory, clock } = given;
  const status = { note: { 'a/b~1c': 'z', more: { d: 'z' }, empty: {} } };
  const said = { ...widget('web'), spec: undefined, status };
  await memory.apply(widgetKind, said, { manager: 'somebody', subresource: 'status' });
  await given.given(widgetKind, widget('web', { maps: { a: {} } }, { labels: { looked: 'at' } }));
  await clock.advance(600_000);
  const { note } = (await given.widget())?.['status'] ?? {};
  expect(note).toEqual({ a: 'x', more: { b: 'y' }, list: [{ c: 1 }], empty: {} });
  memory.forgetWrites();
  await given.given(widgetKind, widget('web', { maps: { a: {} } }, { labels: { looked: 'again' } }));
  await clock.advance(600_000);
  expect(given.writes.filter((write) => write.includes('Widget/status'))).toEqual([]);
});
