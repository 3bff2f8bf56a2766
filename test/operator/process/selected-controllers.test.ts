import { describe, expect, it } from 'vitest';
import * as all from '../../../operator/controllers/index.js';
import { selectedControllers, withinNamespaces } from '../../../operator/process/run-operator.js';

const { algorithmControllers, controllers, databaseControllers, systems } = all;

const namesOf = (names: readonly string[]) => selectedControllers(controllers, names).map(({ name }) => name);

describe('the controllers that run', () => {
  it('are all of them where none is named', () => {
    expect(selectedControllers(controllers, [])).toBe(controllers);
  });

  it('are those that are named, each once and in the order of all', () => {
    expect(namesOf(['database', 'algorithm', 'database'])).toEqual(['algorithm', 'database']);
  });

  it('are told when one is named that is not here', () => {
    expect(() => namesOf(['algorithm', 'x', 'y'])).toThrow(/^--controllers must be among .*algorithm.*, got x, y$/);
  });

  it('are without those of cluster-scoped kinds where only some namespaces are watched', () => {
    const left = controllers.filter((controller) => !withinNamespaces(['shop'], controllers).includes(controller));
    expect(left.map(({ name }) => name)).toEqual(['clusterissuer', 'trustbundle']);
    expect(withinNamespaces([], controllers)).toBe(controllers);
  });

  it('are each of one group', () => {
    const groups = Object.entries(all).flatMap(([name, group]) => (name.endsWith('Controllers') ? [group] : []));
    expect(groups.length).toBeGreaterThan(1);
    expect(groups.filter((group) => !systems.some((system) => system.controllers === group))).toEqual([]);
    expect(systems.flatMap((system) => system.controllers)).toEqual(controllers);
    expect(new Set(controllers).size).toBe(controllers.length);
  });

  it('of Algorithms have no right to a Secret', () => {
    const resources = (some: typeof controllers) =>
      some.flatMap(({ rbacRules }) => rbacRules.flatMap((rule) => rule.resources));
    expect(resources(algorithmControllers)).not.toContain('secrets');
    expect(resources(databaseControllers)).toContain('secrets');
  });
});
