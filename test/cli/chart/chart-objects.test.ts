import { describe, expect, test } from 'vitest';
import { checksOf } from '../../../cli/chart/chart-files.js';
import { chartObjects } from '../../../cli/chart/chart-objects.js';
import { type Choice, holds } from '../../../cli/chart/logic/condition.js';
import { type Json, type JsonMap, valueFor } from '../../../cli/chart/logic/tree.js';
import { mergedProps, rendered } from '../../../cli/chart/samples.js';
import { chartValues } from '../../../cli/chart/values/chart-values.js';
import { requiredProps, type Setting, settingsOf } from '../../../cli/chart/values/setting.js';
import { systems } from '../../../operator/controllers/index.js';
import { mergedRules, type PolicyRule } from '../../../src/rbac/rules.js';

const settings = settingsOf(chartValues);
const { objects, refusals } = chartObjects(chartValues, systems);
const checks = checksOf(refusals, systems);
const everySystem = systems.map(({ name }) => name);

const named = (name: string) => settings.find((setting) => setting.name === name) ?? expect.fail(name);
/** Without CRDs, which take most of the time, and which only few settings change. */
const withoutApi = [named('crds.install')];

function choiceOf(made: readonly Setting[], chosen: readonly string[]): Choice {
  return { settings: new Set(made.map(({ name }) => name)), systems: new Set(chosen) };
}

/** Permissions alone: how rules are divided does not matter, nor does the order of entries in maps. */
function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonMap).map(([key, one]): [string, Json] => {
    if (key === 'rules' && JSON.stringify(one).includes('"apiGroups"'))
      return [key, mergedRules(one as unknown as PolicyRule[]) as unknown as Json];
    return [key, comparable(one)];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the chart renders for a choice, with marks instead of values. */
function chartFor(choice: Choice): Record<string, Json> {
  const present = objects.filter(({ condition }) => holds(condition, choice));
  return Object.fromEntries(present.map(({ key, tree }) => [key, comparable(valueFor(tree, choice))]));
}

function expectSame(made: readonly Setting[], chosen: readonly string[]): void {
  const choice = choiceOf(made, chosen);
  const controllers = systems.filter(({ name }) => chosen.includes(name)).flatMap((system) => system.controllers);
  const props = made.reduce((before, { props }) => mergedProps(before, props), requiredProps(chartValues));
  const { objects: expected, problems } = rendered(controllers, props);
  const when = `${[...choice.settings]} with ${chosen}`;
  const refused = checks.filter(({ condition }) => holds(condition, choice)).map(({ message }) => message);
  expect({ when, refused: refused.length }).toEqual({ when, refused: problems.length });
  if (problems.length > 0) return;
  const all = [...expected].map(([key, object]) => [key, comparable(object)] as const);
  expect({ when, objects: chartFor(choice) }).toEqual({ when, objects: Object.fromEntries(all) });
}

describe('the objects of the chart are those of OperatorInstall', () => {
  test.each(everySystem)('for the system %s alone', (system) => expectSame([], [system]));

  test('for all systems', () => expectSame([], everySystem));

  test.each(everySystem)('for all systems but %s', (system) => {
    const others = everySystem.filter((name) => name !== system);
    expectSame([], others);
    expectSame([named('namespaces'), ...withoutApi], others);
  });

  test.each(settings.map(({ name }) => name))('for %s with each value after it', (name) => {
    const [value, text] = name.split('=');
    for (const other of settings.slice(settings.indexOf(named(name)))) {
      if (text !== undefined && other.name !== name && other.name.startsWith(`${value}=`)) continue; // one of some texts
      for (const chosen of [everySystem, ['rotation']])
        expectSame([...new Set([named(name), other, ...withoutApi])], chosen);
    }
  });

  test('for labels and annotations of the CRDs too', () => {
    expectSame([named('labels'), named('annotations')], everySystem);
  });

  test('for many values together', () => {
    let state = 1;
    const random = (limit: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    for (let round = 0; round < 150; round++) {
      const made = settings.filter(({ name }) => random(4) === 0 && !name.startsWith('monitoring.monitor='));
      const chosen = everySystem.filter(() => random(2) === 0);
      if (chosen.length > 0) expectSame([...new Set([...made, ...withoutApi])], chosen);
    }
  });
});
