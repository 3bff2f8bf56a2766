/** Condition types and reasons of the backups of a Database. Each reason has its status and its default message. */
export const conditions = {
  /** Whether a recent backup exists. */
  BackedUp: {
    OnSchedule: ['True', 'Backups run on schedule'],
    FirstBackupRunning: ['Unknown', 'The first backup is running; until it completes, nothing can be restored'],
    Pending: [
      'Unknown',
      'The Database has no primary yet, so no backup can start',
      'See [`Available`](docs/kinds/database/conditions.md#available).',
    ],
    Overdue: ['False', 'Two consecutive scheduled backups are missing', 'Check `kubectl get dbb` and the message.'],
    Failed: [
      'False',
      'The last backup failed',
      'Check `kubectl describe dbb` of the last backup: the target is full, unavailable, or refuses the keys.',
    ],
    ArchiveTerminating: [
      'False',
      'The PVC of the archive is being deleted, and its backups with it',
      'Run the command in the message immediately, which keeps the volume. **A user is deleting the PVC `NAME-repo` and all backups in it**, and this is irreversible. Then delete the Pod `NAME-repo`. The operator recreates both and takes a first backup immediately. DatabaseBackups of the old PVC no longer count.',
    ],
  },
  /** Whether the last verified backup could be restored. Present unless `spec.backup.verify` is Never. */
  Verified: {
    RestoreSucceeded: ['True', 'The last verified backup could be restored'],
    Pending: [
      'Unknown',
      'No backup has been verified yet',
      'None. To verify one now, see [Verify a backup](docs/kinds/database/backup-tasks.md#verify-a-backup).',
    ],
    RestoreFailed: [
      'False',
      'A backup cannot be restored; do not rely on it',
      '[Take another backup](docs/kinds/database/backup-tasks.md#back-up-manually) now, and find the cause of the damage in the archive. **Do not rely on this backup**.',
    ],
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
      '[Restore from it](docs/kinds/database/backup-tasks.md#restore-a-deleted-database).',
    ],
    VolumesDeleted: [
      'True',
      'The namespace and its volumes were deleted before a final backup could run; writes that were not archived are lost',
    ],
    SnapshotRunning: [
      'Unknown',
      'The final backup is running',
      'Wait for the last backup. If the message reports that no primary exists, fix the cause, or skip the last backup with the annotation.',
    ],
    SnapshotVerifying: [
      'Unknown',
      'The final backup is being verified',
      'Wait. The operator restores the last backup.',
    ],
    Closing: [
      'Unknown',
      'The final backup is verified; the instances are stopping, and the end of their log is being archived',
      'Wait. The instances stop, and the end of their log is archived. If the message reports a failure, fix it. The volumes stay until then.',
    ],
    NamespaceTerminating: [
      'False',
      'The namespace is being deleted, so no final backup can run, and the volumes are deleted with it; annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup',
      'Run the command in the message immediately, which keeps the volumes. No object can be created in a namespace that is being deleted. The operator reports this while the Pods terminate, before anything else is deleted. Then skip the last backup with the annotation.',
    ],
    SnapshotFailed: [
      'False',
      'The final backup missed its deadline and is retried; fix the reported problem, or annotate the Database with reconstruct.dev/skip-final-snapshot=true to skip the final backup',
      'Fix the cause in the message, such as a target that is full or unavailable. Or skip the last backup with the annotation.',
    ],
  },
} as const;
