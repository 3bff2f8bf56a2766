import { expect, it } from 'vitest';
import { systems } from '../../operator/controllers/index.js';
import { kindNames, upgradedKinds } from './upgraded-kinds.js';

it.each(kindNames)('an upgrade waits for controllers of the system, and for resources that it creates: %s', (name) => {
  const own = systems.find((system) => system.name === name)?.controllers.map((controller) => controller.name);
  const { controllers = [], resources = () => [] } = upgradedKinds.get(name) ?? {};
  expect(controllers.filter((controller) => !own?.includes(controller))).toEqual([]);
  expect(controllers).not.toEqual([]);
  expect(resources('upgrade')).not.toEqual([]);
});
