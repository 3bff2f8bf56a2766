/** All that can be said of the backups of a Database: each reason with its status and sentence. */
export const conditions = {
  /** Whether there is a recent backup. */
  BackedUp: {
    OnSchedule: ['True', 'backups are made as the schedule says'],
    FirstBackupRunning: ['Unknown', 'the first backup is being made: until then nothing can be restored'],
    Pending: ['Unknown', 'there is no primary yet, so nothing can be backed up'],
    Overdue: ['False', 'two backups in a row that were due are not there'],
    Failed: ['False', 'the last backup failed'],
    ArchiveTerminating: ['False', 'the claim that has the archive is being deleted, and the backups go with it'],
  },
  /** Whether the last backup that was restored was good. Present unless `spec.backup.verify` is Never. */
  Verified: {
    RestoreSucceeded: ['True', 'the last backup that was restored was good'],
    Pending: ['Unknown', 'no backup was restored yet to see whether it is good'],
    RestoreFailed: ['False', 'a backup cannot be restored: do not rely on it'],
  },
  /** Whether a Database that is being deleted may go. Present while it, or its namespace, is being deleted. */
  Deletable: {
    SnapshotNotNeeded: ['True', 'spec.deletionPolicy asks for no last backup, or there is nothing that it could have'],
    SnapshotCompleted: [
      'True',
      'the last backup is in the archive, was restored, and is good; the archive has all that was written after it, too',
    ],
    Skipped: ['True', 'the last backup is skipped, as an annotation says'],
    Abandoned: [
      'True',
      'the last backup could not be made in time, and spec.finalSnapshot.onFailure says to give it up',
    ],
    ArchiveRetained: [
      'True',
      'the namespace is being deleted, so no last backup can be made; the bucket has an earlier one that is good, and the log since',
    ],
    VolumesDeleted: [
      'True',
      'the namespace was deleted, and the volumes with it, before a last backup could be made: what was not archived is lost',
    ],
    SnapshotRunning: ['Unknown', 'the last backup is being made'],
    SnapshotVerifying: ['Unknown', 'the last backup is being restored to see whether it is good'],
    Closing: ['Unknown', 'the last backup is good; the instances stop, and the end of their log goes to the archive'],
    NamespaceTerminating: [
      'False',
      'the namespace is being deleted, so no last backup can be made, and the volumes go with it; annotate the Database with reconstruct.dev/skip-final-snapshot=true to give it up',
    ],
    SnapshotFailed: [
      'False',
      'the last backup could not be made in time, and is tried further; mend what is told, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to give it up',
    ],
  },
} as const;
