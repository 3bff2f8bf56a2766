import { capacity } from '../../controllers/training/ports/capacity.js';
import { coordinator } from '../../controllers/training/ports/coordinator.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { capacitySource } from './capacity-source.js';
import { askCoordinator, changeCoordinator } from './coordinator-client.js';

/** The ports of TrainingJobs. */
export function trainingPortsFrom(cluster: Pick<Cluster, 'list'>): readonly Provided[] {
  return [
    provided(coordinator, askCoordinator, { perform: changeCoordinator, concurrency: 16, callsPerSecond: 50 }),
    provided(capacity, capacitySource(cluster)),
  ];
}
