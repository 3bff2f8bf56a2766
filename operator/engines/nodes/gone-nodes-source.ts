import { type GoneNodesQuestion, goneNodes } from '../../pods/gone-nodes.js';
import { Node } from '../../runtime/kubernetes/kinds.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** Reads each node from the API server. A failed read does not count as a deleted node. */
export function goneNodesFrom(cluster: Pick<Cluster, 'read'>): Provided {
  return provided(goneNodes, async ({ names }: GoneNodesQuestion, { signal }) => {
    const found = await Promise.all(names.map((name) => cluster.read(Node, { name }, { signal })));
    return { gone: names.filter((_, index) => found[index] === undefined) };
  });
}
