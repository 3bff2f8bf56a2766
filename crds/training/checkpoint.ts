import { noSize, storageClassName } from '../database/storage.js';
import { optionalObjectName } from '../fields/names.js';
import { enumeration, immutable, integer, object, quantity, type Rule } from '../schema/index.js';

interface Volume {
  readonly size?: unknown;
  readonly claimName?: unknown;
  readonly storageClassName?: unknown;
}

const ONE_VOLUME: Rule = {
  rule: 'has(self.size) != has(self.claimName)',
  message:
    'must have either size, for a new volume, or claimName, for an existing PersistentVolumeClaim; set one of them',
  messageExpression:
    "'must have either size, for a new volume, or claimName, for an existing PersistentVolumeClaim, and has ' + (has(self.size) ? 'both' : 'neither') + '; set one of them'",
  holds: ({ size, claimName }: Volume) => (size === undefined) !== (claimName === undefined),
};

const CLASS_OF_NEW: Rule = {
  rule: '!has(self.storageClassName) || has(self.size)',
  message: 'must not be set with claimName, because an existing volume has its class; remove it',
  reason: 'FieldValueForbidden',
  fieldPath: '.storageClassName',
  holds: (volume: Volume) => volume.storageClassName === undefined || volume.size !== undefined,
};

/** `spec.checkpoint`. */
export const checkpoint = object(
  'Volume for checkpoints. Without it, a job that loses all workers at once begins again. Defaults to none.',
  {
    size: quantity('Size of a new volume, such as `20Gi`, and at least 16Mi. You can increase it.', {
      message: noSize,
      rules: [
        {
          rule: "!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity('16Mi')) >= 0",
          message: 'must be at least 16Mi, because a volume for a smaller state is likely a mistake in the unit',
        },
      ],
      optional: true,
    }),
    storageClassName: storageClassName(
      'StorageClass of the new volume. Immutable. Defaults to the StorageClass of the cluster.',
    ),
    claimName: optionalObjectName(
      'PersistentVolumeClaim that exists already. All workers mount it if its access mode is ReadWriteMany, and otherwise only the first one. Immutable.',
    ),
    every: integer('Number of steps between two checkpoints. Defaults to 500.', {
      minimum: 1,
      maximum: 1_000_000,
      default: 500,
    }),
    keep: integer('Number of checkpoints that are kept. Defaults to 5.', { minimum: 1, maximum: 1_000, default: 5 }),
    deletionPolicy: enumeration(
      'New volume when the TrainingJob is deleted. `Retain` keeps it for a later TrainingJob of the same name, and `Delete` deletes it. Defaults to Retain.',
      ['Retain', 'Delete'],
      { default: 'Retain' },
    ),
  },
  { optional: true, rules: [ONE_VOLUME, CLASS_OF_NEW, immutable('storageClassName'), immutable('claimName')] },
);
