import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith, selected } from '../dashboards/queries.js';

/** Databases and their backups. */
export const dashboard: Dashboard = {
  file: 'databases',
  uid: 'reconstruct-databases',
  title: 'Databases',
  namespacesOf: ['reconstruct_database_instances_desired'],
  stats: [
    {
      title: 'Databases without a primary',
      description: 'Databases that accept no writes.',
      query: orZero(`sum(${ofEach('reconstruct_database_has_primary')} == bool 0)`),
    },
    {
      title: 'Databases with missing instances',
      query: orZero(
        `count(${ofEach('reconstruct_database_instances_ready')} < ${ofEach('reconstruct_database_instances_desired')})`,
      ),
    },
    {
      title: 'Databases with a failed or missing backup',
      description: 'Their backups fail, are overdue, or cannot be restored.',
      query: resourcesWith('condition=~"BackedUp|Verified", status="False"', 'condition, reason'),
    },
    {
      title: 'Databases with a withheld change',
      description: 'Changes that the operator withholds because they could lose writes.',
      query: orZero('max(reconstruct_resources{condition="Unsafe", status="True"})'),
    },
  ],
  graphs: [
    {
      title: 'Ready instances',
      unit: 'short',
      queries: { [RESOURCE]: ofEach('reconstruct_database_instances_ready') },
    },
    {
      title: 'Largest replication lag',
      description: 'Bytes of the write-ahead log, in steps. 0 below 1 MiB.',
      unit: 'bytes',
      queries: { [RESOURCE]: ofEach('reconstruct_database_replication_lag_bytes') },
    },
    {
      title: 'Primary changes per hour',
      unit: 'short',
      queries: {
        [RESOURCE]: `max by (namespace, name) (changes(${selected('reconstruct_database_timeline')}[1h]))`,
      },
    },
    {
      title: 'Time since the last backup',
      unit: 's',
      queries: { [RESOURCE]: `time() - ${ofEach('reconstruct_database_last_backup_timestamp_seconds')}` },
    },
    {
      title: 'Time since the last verified backup',
      description: 'Age of the last backup that was restored successfully.',
      unit: 's',
      queries: { [RESOURCE]: `time() - ${ofEach('reconstruct_database_last_verified_timestamp_seconds')}` },
    },
    byReason('Databases by Available condition', 'controller="database", condition="Available"'),
  ],
};
