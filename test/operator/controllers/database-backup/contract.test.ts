import { describe, it } from 'vitest';
import { databaseBackup } from '../../../../operator/controllers/database-backup/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { controllerContract, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { givenBackup, givenDatabase } from './given-backup.js';

const { apiVersion, kind, spec } = givenBackup('nightly');
const resource = { apiVersion, kind, metadata: { name: 'nightly', namespace: 'shop' }, spec };
const { metadata: _, ...orders } = givenDatabase();
const database = { ...orders, metadata: { name: 'orders', namespace: 'shop' } };
const edited = { ...spec, database: 'carts' };
const given = { resource, edited, reads: [database] };

describe('line 6 and line 10: the controller of DatabaseBackups', () => {
  const controller = databaseBackup as unknown as Controller;
  for (const { name, holds } of controllerContract(controller, given)) it(name, holds);
  for (const { name, holds } of simulation(controller, given, { seeds: seeds(6, 12) })) it(name, holds, 120_000);
});
