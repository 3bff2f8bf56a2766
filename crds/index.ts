import { algorithm } from './algorithm.js';
import { database } from './database.js';
import { databaseBackup } from './database-backup.js';
import type { Kind } from './schema/index.js';
import { secretRotation } from './secret-rotation.js';

export { algorithmStatus } from './algorithm/status.js';
export { algorithm, algorithmSpec } from './algorithm.js';
export { certificateConsumers, workloadConsumers } from './consumers.js';
export { backwardRange, isNeverDue } from './database/cron.js';
export { databaseStatus } from './database/status.js';
export { database, databaseSpec } from './database.js';
export { databaseBackup, databaseBackupSpec, databaseBackupStatus } from './database-backup.js';
export { type DefaultResources, defaultResources } from './resources.js';
export * from './schema/index.js';
export { secretRotation, secretRotationSpec, secretRotationStatus } from './secret-rotation.js';

/** Every kind of this package. */
export const kinds: readonly Kind[] = [algorithm, database, databaseBackup, secretRotation];
