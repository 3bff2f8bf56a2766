import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { handshakesFrom, hostHandshakesSource } from './handshake-source.js';
import { workloadsFrom } from './workloads-source.js';

interface ConsumersEnvironment {
  readonly cluster: Pick<Cluster, 'read' | 'list' | 'patch'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** The sources of the kinds whose Secrets workloads use. */
export const consumers = {
  name: 'consumers',
  open: ({ cluster, clock }: ConsumersEnvironment) => ({
    provided: [workloadsFrom(cluster, clock), handshakesFrom(cluster), hostHandshakesSource],
  }),
};
