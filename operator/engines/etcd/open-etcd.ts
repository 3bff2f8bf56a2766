import { etcdCluster } from '../../controllers/etcd/ports/cluster.js';
import { type Clock, systemClock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { changeCluster } from './cluster-changes.js';
import { clusterAnswer } from './cluster-source.js';
import { Connections } from './connections.js';

/** What the etcd engine needs. */
export interface OpenEtcdOptions {
  /** Where the Secrets of the operator are. */
  readonly cluster: Pick<Cluster, 'read'>;
  /** @default - the clock of the system */
  readonly clock?: Pick<Clock, 'after'>;
}

/** The port of the etcd engine, and a function that closes its connections. */
export interface OpenEtcd {
  readonly provided: readonly Provided[];
  readonly close: () => Promise<void>;
}

/** Opens the port of EtcdClusters. Connections are persistent, and none is opened before the first question. */
export function openEtcd({ cluster, clock = systemClock }: OpenEtcdOptions): OpenEtcd {
  const connections = new Connections(cluster);
  return {
    provided: [
      provided(
        etcdCluster,
        async (question, { signal }) =>
          clusterAnswer({ connections: await connections.of(question, signal), signal, clock }, question),
        {
          perform: async (request, { signal, mayLeave }) =>
            changeCluster({ connections: await connections.of(request, signal), signal, clock }, request, mayLeave),
        },
      ),
    ],
    close: () => connections.close(),
  };
}
