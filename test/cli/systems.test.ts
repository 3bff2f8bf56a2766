import { expect, test } from 'vitest';
import { framed } from '../../cli/dashboards/frame.js';
import { dashboards, systemTools } from '../../cli/systems.js';
import { systems } from '../../operator/controllers/index.js';

test('the command line has a line for each system', () => {
  const names = systemTools.map(({ name }) => name);
  expect(names.toSorted()).toEqual(systems.map(({ name }) => name).toSorted());
});

const named = systemTools.flatMap(({ commands = {} }) => Object.entries(commands));

test.each(named)('the command %s has that name, and says what it does', async (name, command) => {
  const loaded = await command();
  expect(loaded.name()).toBe(name);
  expect(loaded.description()).not.toBe('');
});

test.each(systems)('a dashboard shows metrics of the system $name', async ({ name, controllers }) => {
  const shown = JSON.stringify((await dashboards()).map(framed));
  const metrics = controllers.flatMap((controller) => Object.keys(controller.metrics ?? {}));
  const hint = `cli/${name}/dashboard.ts must show one of ${metrics.join(', ')}`;
  expect(
    metrics.filter((metric) => shown.includes(metric)),
    hint,
  ).not.toEqual([]);
});
