import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { GivenOperator } from '../given/operator.js';
import { add, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

const broken = ['(', 'hunter2'].join('');
let given: GivenOperator | undefined;
afterEach(() => given?.close());

it.each<{ when: string; read: () => unknown; said: string }>([
  { when: 'a text is no JSON', read: () => JSON.parse('hunter2'), said: 'text cannot be parsed; it' },
  { when: 'JSON ends too soon', read: () => JSON.parse('{"a":"hunter2'), said: 'cannot be parsed at position 13;' },
  { when: 'JSON has something else in it', read: () => JSON.parse('{"a":hunter2}'), said: 'text cannot be parsed; it' },
  { when: 'a text is no number', read: () => BigInt('hunter2\n    at x:1:1'), said: 'text cannot be parsed; it' },
  { when: 'a text is no expression', read: () => new RegExp(broken), said: 'text cannot be parsed; it' },
])('R25 a pass that fails in desire quotes nothing that may be secret when $when', async ({ read, said }) => {
  await start(widgetController({ desire: () => void read() }));
  await given?.given(widgetKind, widget('web'));
  await quotesNothing(said);
});

const read = () => JSON.parse('hunter2') as never;

it.each<{ where: string; changes: object; before?: WidgetSpec; spec?: WidgetSpec; isDeleted?: true; broke?: string }>([
  {
    where: 'a value that is late',
    changes: {
      desire: (scope: Construct) => add(scope, 'v1', 'ConfigMap', 'web', { data: Lazy.any({ produce: read }) }),
    },
    broke: 'kube-object.ts',
  },
  {
    where: 'the validation of a construct',
    changes: { desire: (scope: Construct) => scope.node.addValidation({ validate: read }) },
  },
  {
    where: 'another error that takes the text in',
    changes: {
      desire: () => {
        try {
          read();
        } catch (error) {
          throw new Error(`the password: ${error}`);
        }
      },
    },
  },
  {
    where: 'retains',
    changes: { owns: [withoutOwnerReference(ConfigMap)], finalizes: true, retains: read },
    spec: { maps: {} },
  },
  { where: 'foreignLeftovers', changes: { finalizes: true, foreignLeftovers: read }, isDeleted: true },
  { where: 'finalization', changes: { finalizes: { external: read } }, before: { maps: {} } },
])('R25 it quotes nothing where that comes to light in $where', async ({ changes, before, spec, isDeleted, broke }) => {
  await start(widgetController(changes));
  const { metadata } = (await given?.given(widgetKind, widget('web', before))) ?? {};
  if (spec) await given?.given(widgetKind, widget('web', spec));
  if (isDeleted && metadata) await given?.memory.remove(widgetKind, metadata, { uid: metadata.uid });
  await quotesNothing('text cannot be parsed; it', broke);
});

const log: string[] = [];

async function start(controller: Controller): Promise<void> {
  log.length = 0;
  const say = (fields: object, message: string) => void log.push(JSON.stringify({ ...fields, message }));
  const telemetry = { ...silent, log: { debug: say, info: say, warn: say, error: say } };
  given = await new GivenOperator({ controllers: [controller], telemetry }).start();
}

/** What a person may see of a pass that fails. */
async function quotesNothing(said: string, broke = 'unquoted-text.test.ts'): Promise<void> {
  if (!given) throw new Error('start it first');
  await given.clock.advance(20);
  const events = (await given.memory.list(Event, {})).items;
  const all = [JSON.stringify(events), JSON.stringify(await given.widget()), log.join('\n')];
  for (const one of all) {
    expect(one).toContain(said);
    expect(one).not.toContain('hunter2');
  }
  expect(all.at(-1)).toContain(broke);
}
