import { objectName } from '../names.js';
import { object, string } from '../schema/index.js';
import { bucketFields } from './backup.js';
import { isMoment } from './moment.js';
import { DATABASE_NAME, longestName, SQL_NAME } from './names.js';

const initSql = object(
  'SQL that runs once in the new database, as its owner. None by default.',
  {
    configMapRef: object('Where the SQL is: a ConfigMap in the same namespace.', {
      name: objectName("The ConfigMap's name."),
      key: string('The key in the ConfigMap.', {
        minLength: 1,
        maxLength: 253,
        pattern: '^[-._a-zA-Z0-9]+$',
        default: 'init.sql',
      }),
    }),
  },
  { optional: true },
);

const archive = object(
  'An archive in a bucket of which nothing in the namespace tells, as that of a Database of another cluster.',
  {
    database: string('The name of the Database that was backed up.', {
      minLength: 1,
      maxLength: longestName,
      pattern: DATABASE_NAME,
    }),
    s3: object(
      'The bucket. By default its `path` is `/NAMESPACE/DATABASE`, with the namespace of this one.',
      bucketFields,
    ),
  },
  { optional: true },
);

const from = object(
  'What is restored.',
  {
    database: string('A Database in the same namespace: its archive is restored.', {
      minLength: 1,
      maxLength: longestName,
      pattern: DATABASE_NAME,
      optional: true,
    }),
    backup: string('A DatabaseBackup in the same namespace: that one is restored, and what was archived since.', {
      minLength: 1,
      maxLength: 253,
      optional: true,
    }),
    archive,
  },
  {
    rules: [
      {
        rule: '[has(self.database), has(self.backup), has(self.archive)].exists_one(is, is)',
        message: 'needs exactly one source; set database, backup or archive',
      },
    ],
  },
);

const restore = object(
  'Begins with what a backup holds. By default the database begins empty.',
  {
    from,
    targetTime: string(
      'Until when, as 2026-11-21T13:00:00Z: what was committed later is not there. By default all that was archived.',
      { maxLength: 35, optional: true, rules: [isMoment] },
    ),
  },
  { optional: true },
);

/** `spec.bootstrap`. */
export const bootstrap = object(
  'How the database begins. It is looked at once, and cannot be changed.',
  {
    database: string('The database that applications use. Of a restore the one that was backed up.', {
      maxLength: 63,
      pattern: SQL_NAME,
      default: 'app',
      rules: [
        {
          rule: "!(self in ['postgres', 'template0', 'template1'])",
          message: "is PostgreSQL's own; choose another name, as app",
        },
      ],
    }),
    owner: string('The user that owns it, whose password is in the Secret `NAME-app`.', {
      maxLength: 63,
      pattern: SQL_NAME,
      default: 'app',
      rules: [
        {
          rule: "!self.startsWith('pg_') && !(self in ['postgres', 'public', 'none', 'replicator', 'rewinder'])",
          message: 'is a role that PostgreSQL or the operator has already; choose another name, as app',
        },
      ],
    }),
    initSql,
    restore,
  },
  {
    default: {},
    rules: [
      {
        rule: '!(has(self.restore) && has(self.initSql))',
        message: 'has two beginnings; set initSql or restore, not both',
      },
      {
        rule: 'self == oldSelf',
        message: 'was done when the Database was made; make another Database with the new value',
      },
    ],
  },
);
