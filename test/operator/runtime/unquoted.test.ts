import { afterEach, expect, it } from 'vitest';
import { Event } from '../../../operator/runtime/kinds.js';
import { silent } from '../../../operator/runtime/telemetry.js';
import { GivenOperator } from './given-operator.js';
import { widget, widgetController, widgetKind } from './given-widgets.js';

const broken = ['(', 'hunter2'].join('');
let given: GivenOperator | undefined;
afterEach(() => given?.close());

it.each<{ when: string; read: () => unknown; said: string }>([
  { when: 'a text is no JSON', read: () => JSON.parse('hunter2'), said: 'a text cannot be read; it' },
  { when: 'JSON ends too soon', read: () => JSON.parse('{"a":"hunter2'), said: 'cannot be read at position 13;' },
  { when: 'JSON has something else in it', read: () => JSON.parse('{"a":hunter2}'), said: 'a text cannot be read; it' },
  { when: 'a text is no number', read: () => BigInt('hunter2\n    at x:1:1'), said: 'a text cannot be read; it' },
  { when: 'a text is no expression', read: () => new RegExp(broken), said: 'a text cannot be read; it' },
])('R25 a pass that fails in desire quotes nothing that may be secret when $when', async ({ read, said }) => {
  const log: string[] = [];
  const say = (fields: object, message: string) => void log.push(JSON.stringify({ ...fields, message }));
  const telemetry = { ...silent, log: { debug: say, info: say, warn: say, error: say } };
  const controllers = [widgetController({ desire: () => void read() })];
  given = await new GivenOperator({ controllers, telemetry }).start();
  await given.given(widgetKind, widget('web'));
  await given.clock.advance(20);
  const events = (await given.memory.list(Event, {})).items;
  const all = [JSON.stringify(events), JSON.stringify(await given.widget()), log.join('\n')];
  for (const one of all) {
    expect(one).toContain(said);
    expect(one).not.toContain('hunter2');
  }
  expect(all.at(-1)).toContain('unquoted.test.ts'); // where it broke
});
