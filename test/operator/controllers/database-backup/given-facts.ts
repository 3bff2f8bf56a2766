import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import type { BackupView } from '../../../../operator/controllers/database-backup/view.js';
import type { LivePod } from '../../../../operator/runtime/index.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { givenDatabase } from './given-backup.js';

const now = new Date('2026-11-21T03:10:00Z');

/** What there is beside a backup. */
export interface World {
  /** @default orders */
  readonly database?: DatabaseResource | undefined;
  readonly siblings?: readonly DatabaseBackupResource[];
  readonly pods?: readonly LivePod[];
}

/** What is known of a backup at ten past three. */
export function factsAbout(
  backup: DatabaseBackupResource,
  { siblings = [], pods = [], ...world }: World = {},
): BackupView {
  const database = 'database' in world ? world.database : givenDatabase();
  const reads = { database, siblings: [backup, ...siblings] };
  return factsOf(backup, { owned: pods, reads, now }) as unknown as BackupView;
}

/** Of one that is made, and does not say where it is. */
export const unplaced = { label: '20261121-030000F', finished: '2026-11-21T03:00:09Z', state: 'Completed' as const };
/** Of one that is made. */
export const made = { ...unplaced, archive: { volume: { claimName: 'orders-repo' } } };
/** Of one that was made a day later. */
export const later = { ...made, finished: '2026-11-22T03:00:09Z' };
/** Another archive than that of orders. */
export const elsewhere = { volume: { claimName: 'other-repo' } };
export const leaving = { deletionTimestamp: '2026-11-21T03:09:00Z' };

/** A Database that keeps so many full backups. */
export function keeping(full: number): DatabaseResource {
  return givenDatabase({ backup: { target: { volume: {} }, retention: { full } } });
}
