import { objectName } from '../fields/names.js';
import { object, string } from '../schema/index.js';
import { bucketFields } from './backup.js';
import { isMoment } from './moment.js';
import { DATABASE_NAME, longestName, SQL_NAME } from './names.js';

const initSql = object(
  'SQL that runs once in the new database, as its owner. Defaults to none.',
  {
    configMapRef: object('ConfigMap in the same namespace that contains the SQL.', {
      name: objectName('Name of the ConfigMap.'),
      key: string('Key in the ConfigMap. Defaults to init.sql.', {
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
  'Archive in a bucket that no object in the namespace describes, such as the archive of a Database in another cluster.',
  {
    database: string('Name of the Database that was backed up.', {
      minLength: 1,
      maxLength: longestName,
      pattern: DATABASE_NAME,
    }),
    s3: object(
      'Bucket with the archive. Its `path` defaults to `/NAMESPACE/DATABASE`, with the namespace of the new Database.',
      bucketFields,
    ),
  },
  { optional: true },
);

const from = object(
  'Source of the restore. Exactly one field must be set.',
  {
    database: string('Name of a Database in the same namespace. Its archive is restored.', {
      minLength: 1,
      maxLength: longestName,
      pattern: DATABASE_NAME,
      optional: true,
    }),
    backup: string(
      'Name of a DatabaseBackup in the same namespace. This backup is restored, with the write-ahead log that was archived since.',
      {
        minLength: 1,
        maxLength: 253,
        optional: true,
      },
    ),
    archive,
  },
  {
    rules: [
      {
        rule: '[has(self.database), has(self.backup), has(self.archive)].exists_one(is, is)',
        message: 'must have exactly one source; set database, backup or archive',
      },
    ],
  },
);

const restore = object(
  'Restore from a backup. By default the database starts empty.',
  {
    from,
    targetTime: string(
      'Time to restore to, such as `2026-11-21T13:00:00Z`. Later commits are not restored. By default the whole archive is restored.',
      { maxLength: 35, optional: true, rules: [isMoment] },
    ),
  },
  { optional: true },
);

/** `spec.bootstrap`. */
export const bootstrap = object(
  'Initial content of the database. The operator reads this field once, and the field is immutable.',
  {
    database: string(
      'Name of the database that applications use. For a restore, the name of the database that was backed up. Defaults to app.',
      {
        maxLength: 63,
        pattern: SQL_NAME,
        default: 'app',
        rules: [
          {
            rule: "!(self in ['postgres', 'template0', 'template1'])",
            message: 'must not be a database that PostgreSQL itself creates; choose another name, such as app',
          },
        ],
      },
    ),
    owner: string('User that owns the database. Its password is in the Secret `NAME-app`. Defaults to app.', {
      maxLength: 63,
      pattern: SQL_NAME,
      default: 'app',
      rules: [
        {
          rule: "!self.startsWith('pg_') && !(self in ['postgres', 'public', 'none', 'replicator', 'rewinder'])",
          message: 'must not be a role that PostgreSQL or the operator already has; choose another name, such as app',
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
        message: 'must not have both initSql and restore; remove one of them',
      },
      {
        rule: 'self == oldSelf',
        message:
          'is immutable, because it takes effect when the Database is created; create another Database with the new value',
      },
    ],
  },
);
