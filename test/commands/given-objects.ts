import { App, Chart } from 'cdk8s';
import type { Manifest } from '../../src/index.js';
import { partsOf } from '../systems/parts.js';
import type { GivenResource, GivenSystem } from './given-system.js';

const bySystem = await partsOf<GivenSystem>('test/commands/given/<system>.ts', 'given');

/** The resources that the pages name and do not create before they name them. */
export const resources: readonly GivenResource[] = [...bySystem.values()].flatMap((system) => system.resources);

/** Label selectors of Pods that controllers of Kubernetes create for the objects. */
export const selectors: readonly string[] = [...bySystem.values()].flatMap(({ pods = [] }) => pods);

/** The objects that the operator renders for them, of all variants that the pages name, each once. */
export function objectsOf(namespace: string): readonly Manifest[] {
  const chart = new Chart(new App(), 'chart', { namespace });
  for (const { objects } of bySystem.values()) objects?.(chart, namespace);
  return chart.toJson();
}
