import { objectName } from '../fields/names.js';
import { matching, object, string } from '../schema/index.js';

/** The URL of a server. @param example of such a URL, for the message */
export const httpsUrl = (description: string, example: string) =>
  string(description, {
    minLength: 1,
    maxLength: 1024,
    rules: [
      matching(
        '^https://[^/?#@ ]+(/[^?#@ ]*)?$',
        `must be an https URL without a user, a query or a fragment, such as ${example}; correct it`,
      ),
    ],
  });

/** The CA certificates of a server. */
export const caBundle = string(
  'CA certificates in PEM format that the server must chain to. Defaults to public CAs. It is for private servers.',
  {
    maxLength: 65_536,
    optional: true,
    rules: [matching('^\\s*-----BEGIN CERTIFICATE-----', 'must be certificates in PEM format; correct it')],
  },
);

/** A webhook that changes TXT records. */
export const webhook = object(
  'Webhook that adds and removes TXT records, for any other DNS.',
  {
    url: httpsUrl(
      'URL below which the webhook serves `present` and `cleanup`. The operator must allow its host.',
      'https://dns-webhook.example.com/acme',
    ),
    caBundle,
    secretRef: object(
      'Secret with the key `token`, which the operator sends as a bearer token. A ClusterIssuer has it in the namespace of the operator. Defaults to none.',
      { name: objectName('Name of the Secret.') },
      { optional: true },
    ),
  },
  { optional: true },
);
