import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { openMetrics } from './open-metrics.js';
import { startingPodsFrom } from './starting-pods-source.js';

interface MetricsEnvironment {
  readonly config: {
    readonly prometheusUrl: string;
    readonly prometheusTokenFile: string;
    readonly prometheusCaFile: string;
  };
  readonly cluster: Pick<Cluster, 'list'>;
  readonly clock: Clock;
}

/** The sources of Algorithms. */
export const metrics = {
  name: 'metrics',
  open({ config, cluster, clock }: MetricsEnvironment) {
    const { prometheusUrl: url, prometheusTokenFile: tokenFile, prometheusCaFile: caFile } = config;
    const { provided, close } = openMetrics({ url, tokenFile, caFile }, { cluster, clock });
    return { provided: [provided, startingPodsFrom(cluster, { clock })], close };
  },
};
