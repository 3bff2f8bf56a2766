import { objectName } from '../fields/names.js';
import { duration, integer, intOrString, matching, object, string } from '../schema/index.js';

/** A label in ASCII or Unicode. The operator converts it by IDNA and checks its length. */
const LABEL = '[^-\\s./\\\\@*"();][^\\s./\\\\@*"();]{0,62}';

/** The longest zone. The names of owner records have up to 21 bytes more. */
const longestZone = 230;

/** A DNS zone. */
export const zone = (description: string) =>
  string(description, {
    minLength: 1,
    maxLength: longestZone,
    rules: [
      matching(
        `^${LABEL}([.]${LABEL})*$`,
        'must be a DNS name without a final dot, such as corp.example.com; correct it',
      ),
    ],
  });

/** A name in a zone. */
export const nameInZone = string(
  'Name in the zone, relative such as `billing`, or absolute such as `billing.corp.example.com`. `@` is the zone itself. Required with `service`. With `gateway` and `httpRoute`, their host names in the zone are published.',
  {
    minLength: 1,
    maxLength: 254,
    optional: true,
    rules: [
      matching(
        `^(@|([*][.])?${LABEL}([.]${LABEL})*[.]?)$`,
        'must be a DNS name, such as billing, or @ for the zone itself; correct it',
      ),
    ],
  },
);

/** The time for which resolvers keep a record. */
export const ttl = duration('Time for which resolvers keep a record (TTL). Defaults to 30s.', {
  minimum: '0s',
  maximum: '24h',
  default: '30s',
});

/** The port of an endpoint that a target uses. */
export const targetPort = intOrString(
  'Port of each address: a name or a number. A name is that of a port of the Service. Defaults to the only port of the Service.',
  {
    maxLength: 15,
    optional: true,
    rules: [
      matching(
        '^([1-9][0-9]{0,4}|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$',
        'must be the name of a port or a number from 1 to 65535; correct it',
        'string(self)',
      ),
    ],
  },
);

/** A port where a server listens. */
export const serverPort = (description: string, byDefault: number) =>
  integer(description, { minimum: 1, maximum: 65_535, default: byDefault });

/** A Secret in the namespace of the publication. */
export const secretReference = (description: string) =>
  object(description, { name: objectName('Name of the Secret.') }, { optional: true });
