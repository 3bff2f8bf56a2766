/** Condition types and reasons of a DatabaseBackup. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the backup is in the archive. */
  Completed: {
    Completed: ['True', 'The backup is in the archive'],
    Expired: ['True', 'The backup completed, and the retention of its Database has removed it from the archive'],
    Pending: ['Unknown', 'Another backup of the Database is running'],
    Running: ['Unknown', 'The backup is running'],
    Retrying: ['Unknown', 'The last attempt failed; another attempt follows', 'Read the message.'],
    DatabaseNotReady: [
      'Unknown',
      'The Database has no primary yet, or no archive',
      'See [`Available`](docs/kinds/database/conditions.md#available) of the Database.',
    ],
    Failed: [
      'False',
      'The backup failed',
      'Read the message, which starts with the fault to fix: the target is full, unavailable, or refuses the keys. Then create another DatabaseBackup.',
    ],
    DatabaseNotFound: [
      'False',
      'The namespace has no Database of this name',
      'Delete the DatabaseBackup, and create one that names an existing Database.',
    ],
    NoBackupTarget: ['False', 'The Database has no backup target', 'Set `spec.backup.target` of the Database.'],
    Cancelled: ['False', 'The Database is being deleted, so only its final backup can start', 'None.'],
  },
  /** Whether the backup could be restored. Present on backups that request verification. */
  Verified: {
    RestoreSucceeded: ['True', 'The backup was restored, and every row was read'],
    Running: ['Unknown', 'The backup is being restored into a temporary instance'],
    Retrying: [
      'Unknown',
      'Verification could not complete; another attempt follows',
      'Read the message. For example, the cluster lacks capacity for one more instance. Another attempt follows.',
    ],
    Pending: ['Unknown', 'The backup is verified once it completes'],
    RestoreFailed: [
      'False',
      'The backup cannot be restored; do not rely on it',
      '[Take another backup](docs/kinds/database/backup-tasks.md#back-up-manually) now, and find the cause of the damage in the archive. **Do not rely on this backup**.',
    ],
  },
  /**
   * Whether the archive also has the writes made after the backup. Present on the final backup of a Database whose
   * instances stop.
   */
  Closed: {
    Completed: ['True', 'The archive has all writes of the Database'],
    Running: ['Unknown', 'The end of the log is being archived'],
    WorkerNotReady: [
      'Unknown',
      'The worker that archives the end of the log does not run, or failed before',
      'Read the message. If the worker Pod does not run, fix that. It needs the node that has the volume of the last primary. Otherwise an attempt failed, and another one is running.',
    ],
    Retrying: [
      'Unknown',
      'The end of the log could not be archived; another attempt follows',
      'Read the message. For example, the archive is unavailable or full. Another attempt follows, and the volume stays.',
    ],
  },
} as const;
