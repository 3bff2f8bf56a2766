import { DNS_SUBDOMAIN } from '../fields/names.js';
import { immutable, object, quantity, string } from '../schema/index.js';

/** The message for an invalid size of a volume. */
export const noSize = 'must be a size, such as 500Mi or 10Gi';

/** The name of a StorageClass. */
export const storageClassName = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN, optional: true });

/** `spec.storage`. */
export const storage = object(
  'Volume of each instance.',
  {
    size: quantity(
      'Size of the volume, such as `10Gi`, and at least 256Mi. You can increase it while the database runs. You can decrease it to the size that the volumes have.',
      {
        message: noSize,
        rules: [
          {
            rule: "!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity('256Mi')) >= 0",
            message: 'must be at least 256Mi, the minimum for PostgreSQL',
          },
        ],
      },
    ),
    storageClassName: storageClassName(
      'StorageClass of the volumes. Immutable. Defaults to the StorageClass of the cluster.',
    ),
  },
  { rules: [immutable('storageClassName')] },
);
