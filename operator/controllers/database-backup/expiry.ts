import type { DatabaseBackupStatus } from '../../../imports/index.js';
import { timestampOf } from '../../runtime/index.js';
import { nthDue } from '../../schedule/schedule.js';
import type { Situation } from './situation.js';

/**
 * The time at which the schedule will have created as many later backups as the retention keeps, if each is created
 * when due. It depends on the existing backups and not on the clock, so it is stable between two backups.
 */
export function expiryOf({ backup, database, newer, isReachable, isOutdated }: Situation): Expiry {
  const { label, finished, state } = backup.status ?? {};
  const { backup: kept } = database?.spec ?? {};
  const isCounted = label !== undefined && finished !== undefined && state !== 'Expired' && backup.spec.type === 'Full';
  if (!isCounted || !isReachable || isOutdated || !kept || database?.metadata.deletionTimestamp) return {};
  const newest = Math.max(...[backup, ...newer].map(({ status }) => Date.parse(status?.finished ?? finished)));
  const expires = nthDue(kept.schedule, kept.retention.full - newer.length, newest);
  return expires === undefined ? {} : { expires: timestampOf(expires) };
}

type Expiry = Pick<DatabaseBackupStatus, 'expires'>;
