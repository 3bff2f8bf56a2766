/** All that can be said of a DatabaseBackup: each reason with its status and sentence. */
export const conditions = {
  /** Whether the backup is in the archive. */
  Completed: {
    Completed: ['True', 'the backup is in the archive'],
    Expired: ['True', 'the backup was made, and has left the archive since, by the retention of its Database'],
    Pending: ['Unknown', 'another backup of the Database is being made'],
    Running: ['Unknown', 'the backup is being made'],
    Retrying: ['Unknown', 'the last try failed; there will be another one'],
    DatabaseNotReady: ['Unknown', 'the Database has no primary yet, or no archive'],
    Failed: ['False', 'the backup could not be made'],
    DatabaseNotFound: ['False', 'there is no Database of this name in the namespace'],
    NoBackupTarget: ['False', 'the Database says of no place for backups: set spec.backup.target'],
    Cancelled: ['False', 'the Database is being deleted, so no more backups of it begin but the last one'],
  },
  /** Whether it was restored and found good. Present of those that are to be verified. */
  Verified: {
    RestoreSucceeded: ['True', 'it was restored, and every row was read'],
    Running: ['Unknown', 'it is being restored into an instance of its own'],
    Retrying: ['Unknown', 'whether it is good could not be found out; there will be another try'],
    Pending: ['Unknown', 'it is verified when it is made'],
    RestoreFailed: ['False', 'it cannot be restored: do not rely on it'],
  },
  /** Whether the archive has what was written after it, too. Present of the last backup of a Database whose instances stop. */
  Closed: {
    Completed: ['True', 'all that its Database had written is in the archive'],
    Running: ['Unknown', 'the end of the log is brought into the archive'],
    WorkerNotReady: ['Unknown', 'what brings the end of the log into the archive does not run, or has failed before'],
    Retrying: ['Unknown', 'the end of the log could not be brought into the archive; there will be another try'],
  },
} as const;
