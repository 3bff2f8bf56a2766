import type { Controller } from '../runtime/index.js';
import { algorithm, level, trial } from './algorithm/index.js';
import { certificateControllers } from './certificates/index.js';
import { backups, database } from './database/index.js';
import { databaseBackup } from './database-backup/index.js';
import { gateway } from './gateway/index.js';
import { kafkaControllers } from './kafka/index.js';
import { secretRotation } from './secret-rotation/index.js';
import type { System } from './system.js';
import { trainingJob } from './training/index.js';

/** Controllers of `Algorithm` resources: deployments, trials, service levels and the gateway proxies. */
export const algorithmControllers: readonly Controller[] = [algorithm, trial, level, gateway];

/** Controllers of `Database` and `DatabaseBackup` resources. */
export const databaseControllers: readonly Controller[] = [database, backups, databaseBackup];

/** Controllers of `SecretRotation` resources. */
export const rotationControllers: readonly Controller[] = [secretRotation];

/** Controllers of `TrainingJob` resources. */
export const trainingControllers: readonly Controller[] = [trainingJob];
export { certificateControllers } from './certificates/index.js';
export { kafkaControllers } from './kafka/index.js';

/**
 * Every system of this operator. Add yours here: watches, RBAC permissions, the installation, and the checks of its
 * pages and tests follow from the list.
 */
export const systems: readonly System[] = [
  { name: 'algorithm', controllers: algorithmControllers },
  { name: 'database', controllers: databaseControllers },
  { name: 'rotation', controllers: rotationControllers },
  { name: 'certificates', controllers: certificateControllers },
  { name: 'kafka', controllers: kafkaControllers },
  { name: 'training', controllers: trainingControllers },
];

/** Every controller of this operator. */
export const controllers: readonly Controller[] = systems.flatMap((system) => system.controllers);
