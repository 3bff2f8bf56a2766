import type { Controller } from '../runtime/index.js';
import { algorithm, level, trial } from './algorithm/index.js';
import { algorithmOptions } from './algorithm/options.js';
import { certificateControllers } from './certificates/index.js';
import { certificateOptions } from './certificates/options.js';
import { backups, database } from './database/index.js';
import { databaseOptions, databasePods } from './database/options.js';
import { databaseBackup } from './database-backup/index.js';
import { gateway } from './gateway/index.js';
import { gatewayOptions } from './gateway/options.js';
import { kafkaControllers } from './kafka/index.js';
import { kafkaOptions, kafkaPods } from './kafka/options.js';
import { leaderElection } from './leader/index.js';
import { leaderOptions } from './leader/options.js';
import { publicationControllers } from './publication/index.js';
import { secretRotation } from './secret-rotation/index.js';
import { sparkJob } from './spark/index.js';
import { sparkOptions, sparkPods } from './spark/options.js';
import type { System } from './system.js';
import { trainingJob } from './training/index.js';
import { trainingPods } from './training/options.js';

/** Controllers of `Algorithm` resources: deployments, trials, service levels and the gateway proxies. */
export const algorithmControllers: readonly Controller[] = [algorithm, trial, level, gateway];

/** Controllers of `Database` and `DatabaseBackup` resources. */
export const databaseControllers: readonly Controller[] = [database, backups, databaseBackup];

/** Controllers of `SecretRotation` resources. */
export const rotationControllers: readonly Controller[] = [secretRotation];

/** Controllers of `LeaderElection` resources. */
export const leaderControllers: readonly Controller[] = [leaderElection];

/** Controllers of `SparkJob` resources. */
export const sparkControllers: readonly Controller[] = [sparkJob];

/** Controllers of `TrainingJob` resources. */
export const trainingControllers: readonly Controller[] = [trainingJob];
export { certificateControllers } from './certificates/index.js';
export { kafkaControllers } from './kafka/index.js';
export { publicationControllers } from './publication/index.js';

/**
 * Every system of this operator. Add yours here: watches, RBAC permissions, the installation, options, and the checks of
 * its pages and tests follow from the list.
 */
export const systems = [
  {
    name: 'algorithm',
    controllers: algorithmControllers,
    options: [gatewayOptions, algorithmOptions],
    pods: [],
  },
  { name: 'database', controllers: databaseControllers, options: [databaseOptions], pods: [databasePods] },
  { name: 'rotation', controllers: rotationControllers, options: [], pods: [] },
  { name: 'certificates', controllers: certificateControllers, options: [certificateOptions], pods: [] },
  { name: 'kafka', controllers: kafkaControllers, options: [kafkaOptions], pods: [kafkaPods] },
  { name: 'training', controllers: trainingControllers, options: [], pods: [trainingPods] },
  { name: 'publication', controllers: publicationControllers, options: [], pods: [] },
  { name: 'leader', controllers: leaderControllers, options: [leaderOptions], pods: [] },
  { name: 'spark', controllers: sparkControllers, options: [sparkOptions], pods: [sparkPods] },
] as const satisfies readonly System[];

/** Every controller of this operator. */
export const controllers: readonly Controller[] = systems.flatMap((system) => system.controllers);
