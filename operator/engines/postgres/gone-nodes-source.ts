import { type GoneNodesQuestion, goneNodes } from '../../controllers/database/ports/gone-nodes.js';
import { Node } from '../../runtime/kubernetes/kinds.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** Asks the API server for each node. One that it does not answer for is not gone. */
export function goneNodesFrom(cluster: Pick<Cluster, 'read'>): Provided {
  return provided(goneNodes, async ({ names }: GoneNodesQuestion, { signal }) => {
    const found = await Promise.all(names.map((name) => cluster.read(Node, { name }, { signal })));
    return { gone: names.filter((_, index) => found[index] === undefined) };
  });
}
