import { text, time } from '../fields/status-fields.js';
import { boolean, enumeration, integer, keyedList, object, string } from '../schema/index.js';

const count = (description: string) => integer(description, { minimum: 0, optional: true });
const timeline = integer('Timeline of the write-ahead log. Each promotion starts a new timeline.', {
  minimum: 0,
  optional: true,
});

const instances = keyedList(
  'Observed state of each instance.',
  ['name'],
  object('Observed state of one instance.', {
    name: string('Name of the Pod and of the PersistentVolumeClaim.', { maxLength: 63 }),
    role: enumeration('Current role of the instance.', ['Primary', 'Replica', 'Unknown']),
    state: string('State of the instance in one word, such as `running` or `streaming`.', { maxLength: 64 }),
    lagBytes: integer(
      'Number of bytes of the write-ahead log that the instance has not replayed yet. Absent for the primary.',
      {
        format: 'int64',
        minimum: 0,
        optional: true,
      },
    ),
    zone: text('Zone of the node, by `placement.topologyKey`.'),
    node: text('Node of the instance.'),
    version: text('Version of PostgreSQL that the instance runs, such as `15.20`.', 32),
    timeline,
    position: text(
      'Last reported position in the write-ahead log, such as `0/5000060`. Absent for an instance that is ready.',
      32,
    ),
    synchronous: boolean('Whether the primary waits for this instance.', { optional: true }),
    usedPercent: integer('Percentage of the volume that is in use, in steps of 5 up to 95.', {
      minimum: 0,
      maximum: 100,
      optional: true,
    }),
  }),
  { maxItems: 9, optional: true },
);

const backup = object(
  'State of the backups.',
  {
    last: time('Time at which the last backup finished.'),
    lastVerified: time('Time at which the last verified backup finished.'),
    firstRecoverable: time('Earliest time that can be restored.'),
    asked: text('Last value of the annotation `reconstruct.dev/backup` for which a backup was created.', 253),
  },
  { optional: true },
);

const snapshot = object(
  'Last backup of a Database that is being deleted.',
  {
    name: text('Name of the DatabaseBackup, or its label in the archive.'),
    state: enumeration(
      'State of the last backup.',
      ['Pending', 'Running', 'Completed', 'Closing', 'Verified', 'Failed', 'Skipped', 'Abandoned'],
      {
        optional: true,
      },
    ),
    started: time('Time at which the backup started.'),
    finished: time('Time at which the backup finished.'),
    verified: time('Time of the verification.'),
    deadline: time('Time until which the operator tries to create it, by `finalSnapshot.deadline`.'),
    problem: text('Cause of the failures so far.', 1024),
  },
  { optional: true },
);

/** The observed state of a Database. */
export const databaseStatus = object('Observed state of the Database. The operator writes it.', {
  ready: text('Ready and desired instances, such as `3/3`.', 16),
  primary: text('Instance that accepts writes.', 63),
  replicas: count('Number of existing instances.'),
  readyReplicas: count('Number of instances that answer queries, including the primary.'),
  selector: text('Label selector of the Pods, in text form.', 1024),
  version: text('Version of PostgreSQL that the primary runs, such as `15.20`.', 32),
  timeline,
  unarchivedSince: time('Time since which the write-ahead log does not reach the archive. Absent if it does.'),
  instances,
  backup,
  snapshot,
  closing: text('Instance that stops last while the Database is being deleted. Its volume has every row.', 63),
});
