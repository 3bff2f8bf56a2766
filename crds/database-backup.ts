import { bucketFields, bucketPath } from './database/backup.js';
import { DATABASE_NAME, longestName } from './database/names.js';
import { objectName } from './fields/names.js';
import { text, time } from './fields/status-fields.js';
import { defineKind, enumeration, immutable, integer, object, string } from './schema/index.js';

const bytes = (description: string) => integer(description, { format: 'int64', minimum: 0, optional: true });

/** The desired state of a DatabaseBackup. */
export const databaseBackupSpec = object('Desired backup. The spec is immutable.', {
  database: string('Name of the Database in the same namespace.', {
    minLength: 1,
    maxLength: longestName,
    pattern: DATABASE_NAME,
    rules: [immutable()],
  }),
  type: enumeration(
    'Type of the backup. `Full` copies everything, `Differential` the changes since the last full backup, and `Incremental` the changes since the last backup. Defaults to Full.',
    ['Full', 'Differential', 'Incremental'],
    { default: 'Full', rules: [immutable()] },
  ),
  origin: enumeration(
    'Origin of the backup: a user, the schedule, or a deletion. Defaults to Manual.',
    ['Manual', 'Schedule', 'Snapshot'],
    {
      default: 'Manual',
      rules: [immutable()],
    },
  ),
});

const position = object(
  'Position of the backup in the write-ahead log.',
  {
    timeline: integer('Timeline of the write-ahead log.', { minimum: 0, optional: true }),
    start: text('Position at the start of the backup, such as `0/3000028`.', 32),
    stop: text('Position at the end of the backup. The backup contains every row that was committed before.', 32),
  },
  { optional: true },
);

const verified = object(
  'Result of the last verification, which restores the backup into a separate instance.',
  {
    result: enumeration('Result of the restore.', ['RestoreSucceeded', 'RestoreFailed'], { optional: true }),
    at: time('Time of the result.'),
    message: text('Human-readable details of the result.', 1024),
  },
  { optional: true },
);

const archive = object(
  'References to the location of the backup. They are enough for a restore, even after the Database is deleted.',
  {
    volume: object(
      'Volume in the namespace.',
      { claimName: objectName('Name of the PersistentVolumeClaim, such as `orders-repo`.') },
      { optional: true },
    ),
    s3: object(
      'Bucket, with the fields of `spec.backup.target.s3` of a Database.',
      // A restore trusts these fields like those of a spec, so they have the same limits: an extra line in a value
      // would become an extra option of pgBackRest.
      { ...bucketFields, path: string('Folder in the bucket.', bucketPath) },
      { optional: true },
    ),
  },
  { optional: true },
);

/** The observed state of a DatabaseBackup. */
export const databaseBackupStatus = object('Observed state of the backup. The operator writes it.', {
  state: enumeration(
    'State of the backup, for display.',
    ['Pending', 'Running', 'Completed', 'Verified', 'Failed', 'Expired'],
    {
      optional: true,
    },
  ),
  label: text('Name of the backup in the archive, such as `20261121-030000F`.', 64),
  archive,
  instance: text(
    'Instance that the backup was taken from. Absent if the worker exited before it reported the instance.',
    63,
  ),
  version: text('Version of PostgreSQL, such as `15.20`.', 32),
  position,
  sizeBytes: bytes('Size of the database in bytes.'),
  storedBytes: bytes('Size of the backup in the archive, in bytes.'),
  started: time('Time at which the backup started.'),
  finished: time('Time at which the backup finished.'),
  verified,
  closed: time(
    'Time at which the archive contained all data that the Database had written. Only for the last backup of a Database that is being deleted.',
  ),
  attempts: integer('Number of attempts.', { minimum: 0, optional: true }),
  tried: time('Time of the last failed attempt.'),
  problem: text('Cause of the last failure.', 1024),
  firstRecoverable: time('Earliest time that the archive could restore when this backup was created.'),
  expires: time(
    'Estimated time at which this backup expires, because the schedule has created as many later backups as the retention keeps.',
  ),
});

/** The kind DatabaseBackup: a backup of a Database. */
export const databaseBackup = defineKind({
  group: 'reconstruct.dev',
  kind: 'DatabaseBackup',
  shortNames: ['dbb'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Backup of a Database, created manually or by the schedule.',
      spec: databaseBackupSpec,
      status: databaseBackupStatus,
      columns: [
        { name: 'Database', type: 'string', jsonPath: '.spec.database' },
        { name: 'State', type: 'string', jsonPath: '.status.state' },
        {
          name: 'Bytes',
          type: 'integer',
          jsonPath: '.status.sizeBytes',
          description: 'Size of the database in bytes.',
        },
        { name: 'Finished', type: 'date', jsonPath: '.status.finished' },
        { name: 'Verified', type: 'string', jsonPath: '.status.verified.result' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
