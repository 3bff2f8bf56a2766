import type { TrainingJobResource } from '../../../../imports/index.js';
import { numericQuantity, workerResources } from '../../../../src/index.js';
import { evicted, type Memory } from '../job/memory.js';
import type { Demand } from '../room/places.js';

/** What the workers need of a node. */
export function demandOf(
  { resource: { spec } }: { readonly resource: Pick<TrainingJobResource, 'spec'> },
  memory: Memory,
): Demand {
  const requests = Object.entries(workerResources(spec).requests);
  return {
    requests: Object.fromEntries(requests.map(([name, amount]) => [name, numericQuantity(amount)])),
    podTemplate: spec.podTemplate,
    avoid: nodesToAvoid(memory, spec.restarts.avoidNodeAfter),
    ...(spec.topology?.policy === 'Required' && { topologyKey: spec.topology.key }),
  };
}

/** Machines of which a fault took the Pod or its process as often as the spec allows. */
export function nodesToAvoid({ faults }: Memory, after: number): readonly string[] {
  const nodes = faults.flatMap(({ node, kind }) => (kind === evicted || node === undefined ? [] : [node]));
  return [...new Set(nodes)].filter((node) => nodes.filter((one) => one === node).length >= after).toSorted();
}
