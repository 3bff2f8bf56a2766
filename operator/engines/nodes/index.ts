import type { Cluster } from '../../runtime/ports/cluster.js';
import { goneNodesFrom } from './gone-nodes-source.js';

/** The source of all kinds whose volumes belong to nodes. */
export const nodes = {
  name: 'nodes',
  open: ({ cluster }: { readonly cluster: Pick<Cluster, 'read'> }) => ({ provided: [goneNodesFrom(cluster)] }),
};
