import type { Controller } from '../runtime/index.js';
import { algorithm, level, trial } from './algorithm/index.js';
import { databaseBackup } from './backup/index.js';
import { backups, database } from './database/index.js';
import { gateway } from './gateway/index.js';

/** Every controller of this operator. Add yours here: watches, rights and the installation follow. */
export const controllers: readonly Controller[] = [algorithm, trial, level, database, backups, databaseBackup, gateway];
