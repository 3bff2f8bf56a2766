import { DNS_SUBDOMAIN } from '../names.js';
import { immutable, object, quantity, type Rule, string } from '../schema/index.js';

/** What is said of the size of a volume that is none. */
export const noSize = 'is no size; write it as 500Mi or 10Gi';

/** Keeps a volume from getting smaller, which no storage can do. */
export const growing: Rule = {
  // What is no size is told by itself alone.
  rule: '!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity(string(oldSelf))) >= 0',
  message: 'is smaller than before, and a volume cannot shrink; restore into a new Database with the smaller size',
  messageExpression:
    "'is smaller than the present ' + string(oldSelf) + ', and a volume cannot shrink; restore into a new Database with the smaller size'",
};

/** The name of a StorageClass. */
export const storageClassName = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN, optional: true });

/** `spec.storage`. */
export const storage = object(
  'The volume of each instance.',
  {
    size: quantity('How large it is, as `10Gi`. It may grow while the database runs, and never shrinks.', {
      message: noSize,
      rules: [
        growing,
        {
          rule: "!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity('256Mi')) >= 0",
          message: 'is too small for PostgreSQL; use 256Mi or more',
        },
      ],
    }),
    storageClassName: storageClassName("The volumes' StorageClass. By default that of the cluster."),
  },
  { rules: [immutable('storageClassName')] },
);
