import { objectName } from '../fields/names.js';
import { requestsAndLimits, resourceRules } from '../fields/resources.js';
import { duration, enumeration, integer, matching, object, quantity, string } from '../schema/index.js';
import { isCron, isSometimesDue } from './cron.js';
import { defaultBackupResources, defaultBackupServerResources } from './default-resources.js';
import { noSize, storageClassName } from './storage.js';

const volume = object(
  'Volume in the cluster, separate from the volumes of the instances. It is lost with the cluster.',
  {
    size: quantity(
      'Size of the volume, such as `20Gi`. You can increase it. You can decrease it to the size that the volume has. Defaults to three times `storage.size`.',
      {
        optional: true,
        message: noSize,
      },
    ),
    storageClassName: storageClassName('StorageClass of the volume. Defaults to the StorageClass of `storage`.'),
  },
  { optional: true },
);

/** The limits of a folder in a bucket. */
export const bucketPath = { minLength: 2, maxLength: 512, pattern: '^(/[-a-zA-Z0-9._]+)+$' } as const;

/** The fields that give access to a bucket of an S3-compatible object store. */
export const bucketFields = {
  endpoint: string(
    'Host of the object store, with the port unless it is 443, such as `s3.eu-central-1.amazonaws.com`.',
    {
      minLength: 1,
      maxLength: 255,
      rules: [
        matching(
          '^[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?(:[0-9]{1,5})?$',
          'must be a host without https:// and without a path, such as s3.eu-central-1.amazonaws.com',
        ),
      ],
    },
  ),
  bucket: string('Name of the bucket. The bucket must exist.', {
    minLength: 3,
    maxLength: 63,
    pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$',
  }),
  region: string('Region of the bucket. Defaults to us-east-1.', {
    minLength: 1,
    maxLength: 63,
    pattern: '^[a-z0-9-]+$',
    default: 'us-east-1',
  }),
  path: string('Folder in the bucket. No other Database may use it or have used it. Defaults to `/NAMESPACE/NAME`.', {
    ...bucketPath,
    optional: true,
  }),
  uriStyle: enumeration(
    'Position of the bucket name in URLs: in the path or in the host. Defaults to Path.',
    ['Path', 'Host'],
    {
      default: 'Path',
    },
  ),
  secretRef: object(
    'Secret with the keys `accessKeyId` and `secretAccessKey`, and with `ca.crt` if the object store has a private certificate authority.',
    { name: objectName('Name of the Secret.') },
  ),
};

const s3 = object('Bucket of an S3-compatible object store.', bucketFields, { optional: true });

const target = object(
  'Location of the backups and of the archive of the write-ahead log. Exactly one field must be set.',
  { volume, s3 },
  {
    rules: [
      { rule: 'has(self.volume) != has(self.s3)', message: 'must have exactly one location; set volume or s3' },
      {
        rule: 'has(self.volume) == has(oldSelf.volume)',
        message: 'must not change between volume and s3; restore into a new Database that has the other one',
      },
    ],
  },
);

/** `spec.backup`. */
export const backup = object(
  'Backups, and the archive that allows a restore to any time between them. By default there are no backups.',
  {
    schedule: string(
      'Cron schedule of the backups in UTC: minute, hour, day of the month, month, day of the week. Defaults to 0 3 * * *, which is 03:00 each day.',
      {
        maxLength: 64,
        default: '0 3 * * *',
        rules: [isCron, isSometimesDue],
      },
    ),
    retention: object(
      'Backups to keep.',
      {
        full: integer('Number of latest backups to keep, with the archive since the oldest of them. Defaults to 7.', {
          minimum: 1,
          maximum: 1000,
          default: 7,
        }),
      },
      { default: {} },
    ),
    target,
    verify: enumeration(
      'Frequency at which the last backup is verified by a restore into a separate instance. Defaults to Weekly.',
      ['Never', 'Daily', 'Weekly', 'Monthly'],
      { default: 'Weekly' },
    ),
    resources: object(
      'Resources of each Pod that creates, verifies or removes a backup.',
      requestsAndLimits(defaultBackupResources),
      { optional: true, rules: resourceRules },
    ),
    serverResources: object(
      'Resources of each container that serves data to backups and restores: one in each instance, and one in the Pod of the volume.',
      requestsAndLimits(defaultBackupServerResources),
      { optional: true, rules: resourceRules },
    ),
  },
  { optional: true },
);

/** `spec.finalSnapshot`. */
export const finalSnapshot = object(
  'Last backup, which a deletion with `deletionPolicy: Snapshot` creates.',
  {
    deadline: duration('Time for the deletion to create and verify the last backup. Defaults to 30m.', {
      minimum: '1m',
      maximum: '168h',
      default: '30m',
    }),
    onFailure: enumeration(
      'Behavior after the deadline. With `Block`, the deletion continues to try. With `Abandon`, it gives up the data. Defaults to Block.',
      ['Block', 'Abandon'],
      { default: 'Block' },
    ),
  },
  { default: {} },
);
