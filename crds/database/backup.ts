import { objectName } from '../names.js';
import { duration, enumeration, integer, matching, object, quantity, string } from '../schema/index.js';
import { isCron } from './cron.js';
import { growing, noSize, storageClassName } from './storage.js';

const volume = object(
  'A volume of the cluster, beside those of the instances: it does not outlive the cluster.',
  {
    size: quantity('How large it is, as `20Gi`; it may grow. By default three times `storage.size`.', {
      optional: true,
      message: noSize,
      rules: [growing],
    }),
    storageClassName: storageClassName("The volume's StorageClass. By default that of `storage`."),
  },
  { optional: true },
);

/** A folder in a bucket. */
export const bucketPath = { minLength: 2, maxLength: 512, pattern: '^(/[-a-zA-Z0-9._]+)+$' } as const;

/** How a bucket of an object store that speaks S3 is reached. */
export const bucketFields = {
  endpoint: string('The host of the store, and its port if that is not 443, as `s3.eu-central-1.amazonaws.com`.', {
    minLength: 1,
    maxLength: 255,
    rules: [
      matching(
        '^[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?(:[0-9]{1,5})?$',
        'is no host; leave out https:// and the path, as s3.eu-central-1.amazonaws.com',
      ),
    ],
  }),
  bucket: string("The bucket's name. It must be there.", {
    minLength: 3,
    maxLength: 63,
    pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$',
  }),
  region: string("The bucket's region.", {
    minLength: 1,
    maxLength: 63,
    pattern: '^[a-z0-9-]+$',
    default: 'us-east-1',
  }),
  path: string(
    'The folder in the bucket. By default `/NAMESPACE/NAME`; no other Database may use it, nor may one have.',
    { ...bucketPath, optional: true },
  ),
  uriStyle: enumeration('Whether the bucket stands in the path or in the host of addresses.', ['Path', 'Host'], {
    default: 'Path',
  }),
  secretRef: object(
    'The Secret with the keys `accessKeyId` and `secretAccessKey`, and with `ca.crt` where the store has a certificate of its own.',
    { name: objectName("The Secret's name.") },
  ),
};

const s3 = object('A bucket of an object store that speaks S3.', bucketFields, { optional: true });

const target = object(
  'Where backups and the archive of the write-ahead log go.',
  { volume, s3 },
  {
    rules: [
      { rule: 'has(self.volume) != has(self.s3)', message: 'needs exactly one place; set volume or s3' },
      {
        rule: 'has(self.volume) == has(oldSelf.volume)',
        message: 'cannot move to another kind of place; restore into a new Database that has the other one',
      },
    ],
  },
);

/** `spec.backup`. */
export const backup = object(
  'Backups, and the archive with which a moment between them can be restored. By default there are none.',
  {
    schedule: string('When a backup is made, in UTC: minute, hour, day of the month, month, day of the week.', {
      maxLength: 64,
      default: '0 3 * * *',
      rules: [isCron],
    }),
    retention: object(
      'How long backups are kept.',
      {
        full: integer('So many of the last backups, and what the archive has since.', {
          minimum: 1,
          maximum: 1000,
          default: 7,
        }),
      },
      { default: {} },
    ),
    target,
    verify: enumeration(
      'How often the last backup is restored into an instance of its own and checked.',
      ['Never', 'Daily', 'Weekly', 'Monthly'],
      { default: 'Weekly' },
    ),
  },
  { optional: true },
);

/** `spec.finalSnapshot`. */
export const finalSnapshot = object(
  'The last backup, which a deletion with `deletionPolicy: Snapshot` makes.',
  {
    deadline: duration('How long the deletion tries to make and verify it.', {
      minimum: '1m',
      maximum: '168h',
      default: '30m',
    }),
    onFailure: enumeration(
      'What becomes of the deletion after that: it goes on trying, or the data is given up.',
      ['Block', 'Abandon'],
      { default: 'Block' },
    ),
  },
  { default: {} },
);
