import { bucketFields, bucketPath } from './database/backup.js';
import { DATABASE_NAME, longestName } from './database/names.js';
import { objectName } from './names.js';
import { conditions, defineKind, enumeration, immutable, integer, object, string } from './schema/index.js';

const time = (description: string) => string(description, { format: 'date-time', optional: true });
const text = (description: string, maxLength = 253) => string(description, { maxLength, optional: true });
const bytes = (description: string) => integer(description, { format: 'int64', minimum: 0, optional: true });

/** The desired state of a DatabaseBackup. */
export const databaseBackupSpec = object('What should be backed up. It cannot be changed.', {
  database: string('The Database, in the same namespace.', {
    minLength: 1,
    maxLength: longestName,
    pattern: DATABASE_NAME,
    rules: [immutable()],
  }),
  type: enumeration(
    'Everything, or what changed since the last full backup, or since the last backup.',
    ['Full', 'Differential', 'Incremental'],
    { default: 'Full', rules: [immutable()] },
  ),
  origin: enumeration('Who wanted it: a person, the schedule, or a deletion.', ['Manual', 'Schedule', 'Snapshot'], {
    default: 'Manual',
    rules: [immutable()],
  }),
});

const position = object(
  'Where in the write-ahead log it is.',
  {
    timeline: integer('The timeline.', { minimum: 0, optional: true }),
    start: text('The position at its beginning, as `0/3000028`.', 32),
    stop: text('The position at its end: it holds every row that was committed before.', 32),
  },
  { optional: true },
);

const verified = object(
  'What became of it when it was last restored into an instance of its own.',
  {
    result: enumeration('Whether it is good.', ['RestoreSucceeded', 'RestoreFailed'], { optional: true }),
    at: time('When it was found.'),
    message: text('Why, for people.', 1024),
  },
  { optional: true },
);

const archive = object(
  'Where it is, by reference: all that a restore takes, also once its Database is gone.',
  {
    volume: object(
      'A volume of the namespace.',
      { claimName: objectName('Its PersistentVolumeClaim, as `orders-repo`.') },
      { optional: true },
    ),
    s3: object(
      'A bucket, as `spec.backup.target.s3` of a Database says it.',
      // Who restores takes it for what a spec says, so it takes no more than one: a line more would be an option more.
      { ...bucketFields, path: string('The folder in the bucket.', bucketPath) },
      { optional: true },
    ),
  },
  { optional: true },
);

/** The observed state of a DatabaseBackup. */
export const databaseBackupStatus = object(
  'What was observed. The operator writes it.',
  {
    observedGeneration: integer('The `metadata.generation` that the status is about.', {
      format: 'int64',
      minimum: -1,
      optional: true,
    }),
    state: enumeration(
      'How far it is, for people.',
      ['Pending', 'Running', 'Completed', 'Verified', 'Failed', 'Expired'],
      {
        optional: true,
      },
    ),
    label: text('Its name in the archive, as `20261121-030000F`.', 64),
    archive,
    instance: text('The instance that it was taken from; absent where its worker ended before it told.', 63),
    version: text('The version of PostgreSQL, as `15.20`.', 32),
    position,
    sizeBytes: bytes('How large the database was.'),
    storedBytes: bytes('How much the archive took for it.'),
    started: time('When it was begun.'),
    finished: time('When it was finished.'),
    verified,
    closed: time(
      'When all that its Database had written was in the archive. Of the last backup of a Database that is being deleted.',
    ),
    attempts: integer('How often it was tried.', { minimum: 0, optional: true }),
    tried: time('When it was tried last without success.'),
    problem: text('Why it failed the last time.', 1024),
    firstRecoverable: time('The earliest moment that the archive could restore when it was made.'),
    expires: time('When the schedule will have made so many later ones that it goes, as far as can be foreseen.'),
    conditions: conditions(),
  },
  // As that of a Database: until the operator has looked, it is of no generation.
  { default: { observedGeneration: -1 } },
);

/** A backup of a Database. */
export const databaseBackup = defineKind({
  group: 'reconstruct.dev',
  kind: 'DatabaseBackup',
  shortNames: ['dbb'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'A backup of a Database, by hand or by its schedule.',
      spec: databaseBackupSpec,
      status: databaseBackupStatus,
      columns: [
        { name: 'Database', type: 'string', jsonPath: '.spec.database' },
        { name: 'State', type: 'string', jsonPath: '.status.state' },
        { name: 'Bytes', type: 'integer', jsonPath: '.status.sizeBytes', description: 'How large the database was.' },
        { name: 'Finished', type: 'date', jsonPath: '.status.finished' },
        { name: 'Verified', type: 'string', jsonPath: '.status.verified.result' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
