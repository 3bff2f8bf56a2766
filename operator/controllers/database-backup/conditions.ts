/** Condition types and reasons of a DatabaseBackup. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the backup is in the archive. */
  Completed: {
    Completed: ['True', 'The backup is in the archive'],
    Expired: ['True', 'The backup completed, and the retention of its Database has removed it from the archive'],
    Pending: ['Unknown', 'Another backup of the Database is running'],
    Running: ['Unknown', 'The backup is running'],
    Retrying: ['Unknown', 'The last attempt failed; another attempt follows'],
    DatabaseNotReady: ['Unknown', 'The Database has no primary yet, or no archive'],
    Failed: ['False', 'The backup failed'],
    DatabaseNotFound: ['False', 'The namespace has no Database of this name'],
    NoBackupTarget: ['False', 'The Database has no backup target; set spec.backup.target'],
    Cancelled: ['False', 'The Database is being deleted, so only its final backup can start'],
  },
  /** Whether the backup could be restored. Present on backups that request verification. */
  Verified: {
    RestoreSucceeded: ['True', 'The backup was restored, and every row was read'],
    Running: ['Unknown', 'The backup is being restored into a temporary instance'],
    Retrying: ['Unknown', 'Verification could not complete; another attempt follows'],
    Pending: ['Unknown', 'The backup is verified once it completes'],
    RestoreFailed: ['False', 'The backup cannot be restored; do not rely on it'],
  },
  /**
   * Whether the archive also has the writes made after the backup. Present on the final backup of a Database whose
   * instances stop.
   */
  Closed: {
    Completed: ['True', 'The archive has all writes of the Database'],
    Running: ['Unknown', 'The end of the log is being archived'],
    WorkerNotReady: ['Unknown', 'The worker that archives the end of the log does not run, or failed before'],
    Retrying: ['Unknown', 'The end of the log could not be archived; another attempt follows'],
  },
} as const;
