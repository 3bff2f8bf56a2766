import type { DatabaseResource } from '../../../../imports/index.js';
import type { ResourceGauge } from '../../../runtime/index.js';

const seconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) / 1000);

/** Metrics of the backups of each Database. */
export const metrics: Readonly<Record<string, ResourceGauge<DatabaseResource>>> = {
  reconstruct_database_last_backup_timestamp_seconds: {
    help: 'Unix time at which the last backup completed.',
    valueFrom: ({ status }) => seconds(status?.backup?.last),
  },
  reconstruct_database_last_verified_timestamp_seconds: {
    help: 'Unix time at which the last verified backup completed.',
    valueFrom: ({ status }) => seconds(status?.backup?.lastVerified),
  },
};
