import { expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { refer } from '../../../../operator/runtime/controller/reads.js';
import { ConfigMap, type LiveConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

const labels = { theme: 'dark' };
const bright = { theme: 'bright' };
const colour = ({ data }: LiveConfigMap) => data?.['colour'];
const themed = (
  name: string,
  data: Readonly<Record<string, string>>,
  worn: Readonly<Record<string, string>> = labels,
) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team', labels: worn } },
  data,
});

/** Widgets, each of which becomes what it sees of ConfigMaps: `web` of dark ones, and of some by name, `day` of bright ones. */
async function given(part?: typeof colour) {
  const { named, eachNamed, matchingLabels } = refer;
  const web =
    <T>(is: T) =>
    ({ metadata }: { readonly metadata: { readonly name: string } }) => {
      return metadata.name === 'web' ? is : undefined;
    };
  const reads: Controller['reads'] = {
    one: named(ConfigMap, web('a'), part),
    each: eachNamed(ConfigMap, web(['b', 'none', 'a']), part),
    all: matchingLabels(ConfigMap, (resource) => ({ labels: web(labels)(resource) ?? bright }), part),
  };
  const desire: Controller['desire'] = (scope, { resource, reads }) => {
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-saw`, { data: { saw: JSON.stringify(reads) } });
  };
  const controller = widgetController({ reads: () => reads, desire } as object);
  const operator = await new GivenOperator({ controllers: [controller] }).start();
  await operator.given(ConfigMap, themed('a', { colour: 'black', note: '1' }));
  await operator.given(ConfigMap, themed('b', { colour: 'grey', note: '1' }));
  await operator.given(ConfigMap, themed('c', { colour: 'blue', note: '1' }));
  for (const name of ['web', 'day']) await operator.given(widgetKind, widget(name));
  const saw = async () => {
    const made = (await operator.memory.read(ConfigMap, { namespace: 'team', name: 'web-saw' })) as LiveConfigMap;
    return JSON.parse(made.data?.['saw'] ?? '');
  };
  const passesOf = async (act: () => Promise<unknown>) => {
    const before = operator.passes.length;
    await act();
    await settled();
    return operator.passes.length - before;
  };
  return { operator, saw, passesOf };
}

test('of what is read, the functions of a controller see the part that it declares', async () => {
  const { saw } = await given(colour);
  expect(await saw()).toEqual({ one: 'black', each: ['grey', null, 'black'], all: ['black', 'grey', 'blue'] });
});

test.each<{
  wakes: number;
  when: string;
  name?: string;
  data: Readonly<Record<string, string>>;
  worn?: Readonly<Record<string, string>>;
}>([
  { wakes: 0, when: 'something else changes', data: { colour: 'black', note: '2' } },
  { wakes: 1, when: 'the part changes', data: { colour: 'red', note: '1' } },
  { wakes: 1, when: 'another one appears', name: 'd', data: { colour: 'black' } },
  {
    wakes: 2,
    when: 'it is meant by another one from now on, though its part is the same',
    name: 'c',
    data: { colour: 'blue' },
    worn: bright,
  },
])('a change wakes $wakes resources when $when', async ({ wakes, name = 'a', data, worn }) => {
  const { operator, passesOf } = await given(colour);
  expect(await passesOf(() => operator.given(ConfigMap, themed(name, data, worn)))).toBe(wakes);
});

test('where no part is declared, every change wakes', async () => {
  const { operator, passesOf } = await given();
  expect(await passesOf(() => operator.given(ConfigMap, themed('a', { colour: 'black', note: '2' })))).toBe(1);
});

test('a part that cannot be told is met by the pass, which says so', async () => {
  const { operator } = await given(({ data }) => (data?.['note'] ?? '').normalize(data?.['form']));
  await operator.given(ConfigMap, themed('a', { form: 'none such', note: '1' }));
  expect(operator.complaints).toContain('Reconcile failed, requeueing');
});
