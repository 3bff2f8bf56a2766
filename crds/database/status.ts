import { boolean, conditions, enumeration, integer, keyedList, object, string } from '../schema/index.js';

const time = (description: string) => string(description, { format: 'date-time', optional: true });
const text = (description: string, maxLength = 253) => string(description, { maxLength, optional: true });
const count = (description: string) => integer(description, { minimum: 0, optional: true });
const timeline = integer('The timeline of its write-ahead log: a promotion begins a new one.', {
  minimum: 0,
  optional: true,
});

const instances = keyedList(
  'The instances that there are.',
  ['name'],
  object('One instance.', {
    name: string('The name of its Pod and of its claim.', { maxLength: 63 }),
    role: enumeration('What it is at present.', ['Primary', 'Replica', 'Unknown']),
    state: string('How it is, in a word, as `running` or `streaming`.', { maxLength: 64 }),
    lagBytes: integer('How much of the write-ahead log it has not replayed yet; absent of the primary.', {
      format: 'int64',
      minimum: 0,
      optional: true,
    }),
    zone: text('The zone of its node, by `placement.topologyKey`.'),
    node: text('Its node.'),
    version: text('The version of PostgreSQL that it runs, as `15.20`.', 32),
    timeline,
    position: text('How far it had got when it was heard of last, as `0/5000060`; absent of one that is ready.', 32),
    synchronous: boolean('The primary waits for it.', { optional: true }),
    usedPercent: integer('How full its volume is, in steps of 5 up to 95.', {
      minimum: 0,
      maximum: 100,
      optional: true,
    }),
  }),
  { maxItems: 9, optional: true },
);

const backup = object(
  'What the backups hold.',
  {
    last: time('When the last backup was finished.'),
    lastVerified: time('When the last backup that was restored and found good was finished.'),
    firstRecoverable: time('The earliest moment that can be restored.'),
    asked: text('The value of the annotation `reconstruct.dev/backup` for which a backup was made last.', 253),
  },
  { optional: true },
);

const snapshot = object(
  'The last backup, of a Database that is being deleted.',
  {
    name: text('The DatabaseBackup, or its label in the archive.'),
    state: enumeration(
      'How far it is.',
      ['Pending', 'Running', 'Completed', 'Closing', 'Verified', 'Failed', 'Skipped', 'Abandoned'],
      {
        optional: true,
      },
    ),
    started: time('When it was begun.'),
    finished: time('When it was finished.'),
    verified: time('When it was found good.'),
    deadline: time('Until when it is tried, by `finalSnapshot.deadline`.'),
    problem: text('Why it could not be made so far.', 1024),
  },
  { optional: true },
);

/** The observed state of a Database. */
export const databaseStatus = object(
  'What was observed. The operator writes it.',
  {
    observedGeneration: integer('The `metadata.generation` that the status is about.', {
      format: 'int64',
      minimum: -1,
      optional: true,
    }),
    ready: text('Instances that are ready and instances that there are to be, as `3/3`.', 16),
    primary: text('The instance that takes writes.', 63),
    replicas: count('Instances that there are.'),
    readyReplicas: count('Instances that answer queries, the primary included.'),
    selector: text('The label selector of the Pods, in text form.', 1024),
    version: text('The version of PostgreSQL that the primary runs, as `15.20`.', 32),
    timeline,
    unarchivedSince: time('Since when its log does not reach the archive; absent where it does.'),
    instances,
    backup,
    snapshot,
    closing: text('The instance that stops last, of a Database that is being deleted: its volume has every row.', 63),
    conditions: conditions(),
  },
  // Tools that know no kind take what says nothing for done: until the operator has looked, it is of no generation.
  { default: { observedGeneration: -1 } },
);
