import type { Cluster } from '../../runtime/ports/cluster.js';
import { leftoversFrom } from './leftovers-source.js';

/** The sources of SparkJobs. */
export const spark = {
  name: 'spark',
  open: ({ cluster }: { readonly cluster: Pick<Cluster, 'read' | 'remove'> }) => ({
    provided: [leftoversFrom(cluster)],
  }),
};
