import type { Cluster } from '../../runtime/ports/cluster.js';
import { podShutdownFrom } from './pod-shutdown-source.js';

/** The source of how Pods end. */
export const pods = {
  name: 'pods',
  open: ({ cluster }: { readonly cluster: Pick<Cluster, 'read'> }) => ({ provided: [podShutdownFrom(cluster)] }),
};
