import { workloadConsumers } from './consumers.js';
import { DATABASE_NAME, longestName as longestDatabaseName, SQL_NAME } from './database/names.js';
import { objectName } from './fields/names.js';
import { text, time } from './fields/status-fields.js';
import {
  celSeconds,
  defineKind,
  duration,
  enumeration,
  immutable,
  integer,
  object,
  type Rule,
  secondsOf,
  set,
  string,
} from './schema/index.js';

/** PostgreSQL limits the names of roles to 63 bytes, and the logins end with `_a` and `_b`. */
const longestName = 61;
const NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const database = object(
  'Database of this operator, in the same namespace. The logins are members of the owner of its database.',
  {
    name: string('Name of the Database.', {
      minLength: 1,
      maxLength: longestDatabaseName,
      pattern: DATABASE_NAME,
      rules: [immutable()],
    }),
  },
  { optional: true },
);

const sqlName = (description: string) =>
  string(description, { maxLength: 63, pattern: SQL_NAME, rules: [immutable()] });

const postgres = object(
  'Any other PostgreSQL 13 or later. The operator connects with TLS, and verifies the host name of the server.',
  {
    host: string('Host name or IP address of the server.', {
      minLength: 1,
      maxLength: 253,
      pattern: '^[a-zA-Z0-9]([-a-zA-Z0-9.:]*[a-zA-Z0-9])?$',
    }),
    port: integer('Port of the server. Defaults to 5432.', { minimum: 1, maximum: 65_535, default: 5432 }),
    database: sqlName('Name of the database that applications use.'),
    owner: sqlName(
      'Role that owns the objects of the database. The logins are members of it, and what they create belongs to it.',
    ),
    adminSecretRef: object(
      'Secret in the same namespace with the keys `username` and `password` of a role with CREATEROLE that can grant `owner`. Its key `ca.crt` has the trusted certificate authorities; without it, those of the system are trusted.',
      { name: objectName('Name of the Secret.') },
    ),
  },
  { optional: true },
);

const kafkaUser = object(
  'KafkaUser with a password, in the same namespace. Two users of the same KafkaCluster with its ACLs and quotas take turns. The KafkaUser itself stays as it is.',
  { name: objectName('Name of the KafkaUser.', [immutable()]) },
  { optional: true },
);

const random = object(
  'Random values, for a credential that only the consumers themselves use.',
  {
    length: integer('Number of characters of each value. Defaults to 32.', {
      minimum: 24,
      maximum: 1024,
      default: 32,
    }),
    charset: enumeration(
      'Characters of the values. `Hex` uses the digits and a to f. Defaults to Alphanumeric.',
      ['Alphanumeric', 'Hex'],
      { default: 'Alphanumeric' },
    ),
    keys: set(
      'Keys of the Secret, each with a value of its own. Defaults to `password`.',
      string('Key.', { minLength: 1, maxLength: 120, pattern: '^[-._a-zA-Z0-9]+$' }),
      { minItems: 1, maxItems: 16, default: ['password'] },
    ),
  },
  { optional: true },
);

const sources = ['database', 'postgres', 'kafkaUser', 'random'] as const;
type Source = { readonly [source in (typeof sources)[number]]?: unknown };

const ONE_SOURCE: Rule = {
  rule: `[${sources.map((one) => `has(self.${one})`).join(', ')}].exists_one(is, is)`,
  message: 'must have exactly one source; set database, postgres, kafkaUser or random',
  holds: (source: Source) => sources.filter((one) => source[one] !== undefined).length === 1,
};

const SAME_SOURCE: Rule = {
  rule: sources.map((one) => `has(self.${one}) == has(oldSelf.${one})`).join(' && '),
  message: 'must stay of one type; create another SecretRotation with the new source',
};

/** The longest duration, ten years. */
const longest = '3650d';

interface Times {
  readonly every?: string;
  readonly overlap?: string;
}

const OVERLAP_FITS: Rule = {
  rule: `${celSeconds('self.overlap')} < ${celSeconds('self.every')}`,
  message: 'must be less than every; lower overlap, or raise every',
  messageExpression:
    "'overlap %s must be less than every %s; lower overlap, or raise every'.format([self.overlap, self.every])",
  fieldPath: '.overlap',
  holds: ({ every = '30d', overlap = '1h' }: Times) => secondsOf(overlap) < secondsOf(every),
};

/** The desired state of a SecretRotation. */
export const secretRotationSpec = object(
  'Desired rotation.',
  {
    secretName: objectName('Name of the Secret with the credential, in the same namespace. The operator creates it.', [
      immutable(),
    ]),
    source: object(
      'Source of the credential. Exactly one field must be set.',
      { database, postgres, kafkaUser, random },
      { rules: [ONE_SOURCE, SAME_SOURCE] },
    ),
    every: duration('Time between two rotations. Defaults to 30d.', {
      minimum: '1m',
      maximum: longest,
      default: '30d',
    }),
    overlap: duration(
      'Least time for which the earlier login still works. It works until each consumer uses the new one, even if that takes longer. Random values have no overlap. Defaults to 1h.',
      { minimum: '1s', maximum: longest, default: '1h' },
    ),
    consumers: workloadConsumers(
      'Workloads that use the Secret. The earlier login is refused only when each of them uses the new one. Defaults to none.',
    ),
  },
  { rules: [OVERLAP_FITS] },
);

/** The observed state of a SecretRotation. It has no secret. */
export const secretRotationStatus = object('Observed state of the rotation. The operator writes it.', {
  login: text('Login in the Secret.', 63),
  credential: text('Identifies the credential in the Secret without containing it.', 64),
  rotated: time('Time at which the credential was written into the Secret.'),
  nextRotation: time('Time at which the next rotation is due.'),
  requested: text('Last value of the annotation `reconstruct.dev/rotate` that started a rotation.', 1024),
  kafkaCluster: text('KafkaCluster that has the users of the rotation.', 253),
  consumers: text('Consumers that use the credential, out of all.', 16),
  adopted: text('Identifies the content of the Secret that each consumer was seen with.', 64),
});

/** The kind SecretRotation: a credential that changes while its consumers go on. */
export const secretRotation = defineKind({
  group: 'reconstruct.dev',
  kind: 'SecretRotation',
  shortNames: ['rot'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Credential in a Secret that is replaced at an interval, together with its consumers.',
      spec: secretRotationSpec,
      status: secretRotationStatus,
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${NAME}') && !self.metadata.name.startsWith('pg-')`,
          message: `must have a name that its logins can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter, but not with pg-`,
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Secret', type: 'string', jsonPath: '.spec.secretName' },
        { name: 'Login', type: 'string', jsonPath: '.status.login', description: 'Login in the Secret.' },
        {
          name: 'Consumers',
          type: 'string',
          jsonPath: '.status.consumers',
          description: 'Consumers that use the credential, out of all.',
        },
        {
          name: 'Rotated',
          type: 'date',
          jsonPath: '.status.rotated',
          description: 'Age of the credential.',
        },
        { name: 'Next', type: 'string', jsonPath: '.status.nextRotation', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
