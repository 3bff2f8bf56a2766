import { small } from '../../e2e/database/given/tried-database.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** Two instances, and a backup in a volume of the cluster. */
export const upgraded = {
  controllers: ['database', 'backups', 'databasebackup'],
  objects: (namespace) => [
    resource(
      'Database',
      { name: 'orders', namespace },
      {
        ...{ ...small, replicas: 2 },
        backup: { schedule: '0 0 29 2 *', verify: 'Never', target: { volume: { size: '1Gi' } } },
      },
    ),
    resource('DatabaseBackup', { name: 'by-hand', namespace }, { database: 'orders' }),
  ],
  resources: () => [{ resource: 'db/orders' }, { resource: 'dbb/by-hand' }],
} satisfies UpgradedKind;
