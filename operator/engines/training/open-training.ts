import { capacity } from '../../controllers/training/ports/capacity.js';
import { coordinator } from '../../controllers/training/ports/coordinator.js';
import { logs } from '../../controllers/training/ports/logs.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import type { PodLogs } from '../../runtime/ports/pod-logs.js';
import { capacitySource } from './capacity-source.js';
import { askCoordinator, changeCoordinator } from './coordinator-client.js';
import { LogSource } from './logs/log-source.js';

/** What the training engine needs. */
export interface OpenTrainingOptions {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly podLogs: PodLogs;
  readonly clock: Clock;
}

/** The ports of TrainingJobs, and a function that ends the connections to logs. */
export interface OpenTraining {
  readonly provided: readonly Provided[];
  readonly close: () => Promise<void>;
}

/** Opens the ports of TrainingJobs. No log is read before the first question. */
export function openTraining({ cluster, podLogs, clock }: OpenTrainingOptions): OpenTraining {
  const source = new LogSource({ logs: podLogs, clock });
  return {
    provided: [
      provided(coordinator, askCoordinator, { perform: changeCoordinator, concurrency: 16, callsPerSecond: 50 }),
      provided(capacity, capacitySource(cluster)),
      provided(logs, async (question) => source.ask(question), { announces: source.announces }),
    ],
    close: () => source.close(),
  };
}
