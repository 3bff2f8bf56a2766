import type { Controller } from '../runtime/index.js';
import { algorithm, level, trial } from './algorithm/index.js';
import { databaseBackup } from './backup/index.js';
import { backups, database } from './database/index.js';
import { gateway } from './gateway/index.js';

/** What runs `Algorithm` resources, their trials and the proxies that split their requests. */
export const algorithmControllers: readonly Controller[] = [algorithm, trial, level, gateway];

/** What runs `Database` and `DatabaseBackup` resources. */
export const databaseControllers: readonly Controller[] = [database, backups, databaseBackup];

/** Every controller of this operator. Add yours here: watches, rights and the installation follow. */
export const controllers: readonly Controller[] = [...algorithmControllers, ...databaseControllers];
