import type { TrainingJobResource } from '../../../../imports/index.js';
import { numericQuantity, workerResources } from '../../../../src/index.js';
import { evicted, type Memory } from '../job/memory.js';
import type { Amounts } from '../ports/capacity.js';
import type { Demand } from '../room/places.js';

/** What the workers need of a node. */
export function demandOf(
  { resource: { spec } }: { readonly resource: Pick<TrainingJobResource, 'spec'> },
  memory: Memory,
): Demand {
  return {
    requests: numericAmounts(workerResources(spec).requests),
    podTemplate: spec.podTemplate,
    avoid: nodesToAvoid(memory, spec.restarts.avoidNodeAfter),
    ...(spec.topology?.policy === 'Required' && { topologyKey: spec.topology.key }),
  };
}

/** Quantities as numbers, in the units of their resources. */
export function numericAmounts(quantities: Readonly<Record<string, string>>): Amounts {
  return Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, numericQuantity(quantity)]));
}

/** Machines of which a fault took the Pod or its process as often as the spec allows. */
export function nodesToAvoid({ faults }: Memory, after: number): readonly string[] {
  const nodes = faults.flatMap(({ node, kind }) => (kind === evicted || node === undefined ? [] : [node]));
  return [...new Set(nodes)].filter((node) => nodes.filter((one) => one === node).length >= after).toSorted();
}
