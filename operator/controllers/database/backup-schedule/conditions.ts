/** Condition types and reasons of the backups of a Database. Each reason has its status and its default message. */
export const conditions = {
  /** Whether a recent backup exists. */
  BackedUp: {
    OnSchedule: ['True', 'Backups run on schedule'],
    FirstBackupRunning: ['Unknown', 'The first backup is running; until it completes, nothing can be restored'],
    Pending: ['Unknown', 'The Database has no primary yet, so no backup can start'],
    Overdue: ['False', 'Two consecutive scheduled backups are missing'],
    Failed: ['False', 'The last backup failed'],
    ArchiveTerminating: ['False', 'The PVC of the archive is being deleted, and its backups with it'],
  },
  /** Whether the last verified backup could be restored. Present unless `spec.backup.verify` is Never. */
  Verified: {
    RestoreSucceeded: ['True', 'The last verified backup could be restored'],
    Pending: ['Unknown', 'No backup has been verified yet'],
    RestoreFailed: ['False', 'A backup cannot be restored; do not rely on it'],
  },
  /** Whether a Database can be deleted. Present while the Database, or its namespace, is being deleted. */
  Deletable: {
    SnapshotNotNeeded: [
      'True',
      'No final backup is needed: spec.deletionPolicy requests none, or the Database has no data to back up',
    ],
    SnapshotCompleted: [
      'True',
      'The final backup is in the archive and is verified, and the archive has all writes made after it',
    ],
    Skipped: ['True', 'An annotation of the Database skips the final backup'],
    Abandoned: ['True', 'The final backup missed its deadline, and spec.finalSnapshot.onFailure is Abandon'],
    ArchiveRetained: [
      'True',
      'The namespace is being deleted, so no final backup can run; the bucket has an earlier verified backup and the log since',
    ],
    VolumesDeleted: [
      'True',
      'The namespace and its volumes were deleted before a final backup could run; writes that were not archived are lost',
    ],
    SnapshotRunning: ['Unknown', 'The final backup is running'],
    SnapshotVerifying: ['Unknown', 'The final backup is being verified'],
    Closing: [
      'Unknown',
      'The final backup is verified; the instances are stopping, and the end of their log is being archived',
    ],
    NamespaceTerminating: [
      'False',
      'The namespace is being deleted, so no final backup can run, and the volumes are deleted with it; annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup',
    ],
    SnapshotFailed: [
      'False',
      'The final backup missed its deadline and is retried; fix the reported problem, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup',
    ],
  },
} as const;
