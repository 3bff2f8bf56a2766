import { describe, it } from 'vitest';
import { backups } from '../../../../../operator/controllers/database/backup-schedule/index.js';
import type { Controller } from '../../../../../operator/runtime/index.js';
import { controllerContract, simulation } from '../../../../../operator/testing/index.js';
import { seeds } from '../../../../simulation/seeds.js';
import { givenDatabase } from '../../database-backup/given-backup.js';

const { apiVersion, kind, spec } = givenDatabase({ deletionPolicy: 'Retain' });
const resource = { apiVersion, kind, metadata: { name: 'orders', namespace: 'shop' }, spec };
const edited = { ...spec, image: 'postgres:15.18', backup: { ...spec.backup, target: { volume: { size: '4Gi' } } } };

describe('line 6, line 8 and line 10: the controller of the backups of Databases', () => {
  const controller = backups as unknown as Controller;
  for (const { name, holds } of controllerContract(controller, { resource, edited })) it(name, holds);
  for (const { name, holds } of simulation(controller, { resource, edited }, { seeds: seeds(6, 12) }))
    it(name, holds, 120_000);
});
