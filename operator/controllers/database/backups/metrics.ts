import type { DatabaseResource } from '../../../../imports/index.js';
import type { Figure } from '../../../runtime/index.js';

const seconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) / 1000);

/** What the metrics tell of the backups of each Database. */
export const figures: Readonly<Record<string, Figure<DatabaseResource>>> = {
  reconstruct_database_last_backup_timestamp_seconds: {
    help: 'When the last backup was finished, in seconds since 1970.',
    of: ({ status }) => seconds(status?.backup?.last),
  },
  reconstruct_database_last_verified_timestamp_seconds: {
    help: 'When the last backup that was restored and found good was finished, in seconds since 1970.',
    of: ({ status }) => seconds(status?.backup?.lastVerified),
  },
};
