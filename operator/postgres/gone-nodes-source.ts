import { type GoneNodesQuestion, goneNodes } from '../controllers/database/gone-nodes.js';
import type { Cluster } from '../runtime/cluster.js';
import { Node } from '../runtime/kinds.js';
import { type Provided, provided } from '../runtime/port.js';

/** Asks the API server for each node. One that it does not answer for is not gone. */
export function goneNodesFrom(cluster: Pick<Cluster, 'read'>): Provided {
  return provided(goneNodes, async ({ names }: GoneNodesQuestion, { signal }) => {
    const found = await Promise.all(names.map((name) => cluster.read(Node, { name }, { signal })));
    return { gone: names.filter((_, index) => found[index] === undefined) };
  });
}
