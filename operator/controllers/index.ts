import type { Controller } from '../runtime/index.js';
import { algorithm, level, trial } from './algorithm/index.js';
import { certificateControllers } from './certificates/index.js';
import { backups, database } from './database/index.js';
import { databaseBackup } from './database-backup/index.js';
import { gateway } from './gateway/index.js';
import { kafkaControllers } from './kafka/index.js';
import { secretRotation } from './secret-rotation/index.js';
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
 * Every controller of this operator. Add yours here: watches, RBAC permissions and the installation follow from the
 * list.
 */
export const controllers: readonly Controller[] = [
  ...algorithmControllers,
  ...databaseControllers,
  ...rotationControllers,
  ...certificateControllers,
  ...kafkaControllers,
  ...trainingControllers,
];
