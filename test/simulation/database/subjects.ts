import { database } from '../../../operator/controllers/database/index.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import type { Subject } from '../runtime-subjects.js';
import { databases } from './given-databases.js';

/** Instances in an order, with data that must not be lost. */
export const subjects = {
  database: { controller: database as unknown as Controller, given: databases },
} satisfies Readonly<Record<string, Subject>>;
