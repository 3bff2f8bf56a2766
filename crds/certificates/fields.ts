import { objectName } from '../fields/names.js';
import { text } from '../fields/status-fields.js';
import {
  celSeconds,
  duration,
  enumeration,
  integer,
  list,
  matching,
  object,
  type Rule,
  secondsOf,
  string,
} from '../schema/index.js';

/** The shortest validity of a certificate. The renewal needs some of it. */
const shortest = '5m';
const longest = '3650d';

interface PrivateKey {
  readonly algorithm?: string;
  readonly size?: number;
}

const SIZES: Readonly<Record<string, readonly number[]>> = {
  RSA: [2048, 3072, 4096],
  ECDSA: [256, 384, 521],
  Ed25519: [],
};

/** The default size of the keys of each algorithm, in bits. */
export const defaultKeySize: Readonly<Record<string, number>> = { RSA: 2048, ECDSA: 256 };

/** The fields of a private key that the operator generates. */
export const privateKeyFields = {
  algorithm: enumeration('Algorithm of the key. Defaults to ECDSA.', ['ECDSA', 'RSA', 'Ed25519'], { default: 'ECDSA' }),
  size: integer(
    'Size of the key in bits: 256, 384 or 521 for ECDSA, and 2048, 3072 or 4096 for RSA. Defaults to 256 for ECDSA and to 2048 for RSA.',
    { minimum: 256, maximum: 4096, optional: true },
  ),
};

/** The sizes that an algorithm has. */
export const keySize: Rule = {
  rule: "!has(self.size) || (self.algorithm == 'RSA' && self.size in [2048, 3072, 4096]) || (self.algorithm == 'ECDSA' && self.size in [256, 384, 521])",
  message:
    'must be 2048, 3072 or 4096 for RSA, and 256, 384 or 521 for ECDSA, and absent for Ed25519; correct or remove size',
  fieldPath: '.size',
  holds: ({ algorithm = 'ECDSA', size }: PrivateKey) => size === undefined || (SIZES[algorithm] ?? []).includes(size),
};

/** The validity of a certificate. */
export const validity = <const D extends string>(what: string, preset: D) =>
  duration(`Validity of ${what}, such as \`36h\` or \`90d\`. Defaults to ${preset}.`, {
    minimum: shortest,
    maximum: longest,
    default: preset,
  });

/** The time before the end at which a certificate is renewed. */
export const renewBefore = (description: string) =>
  duration(description, { minimum: '1m', maximum: longest, optional: true });

interface Lifetime {
  readonly duration?: string;
  readonly renewBefore?: string;
}

/** Without this rule, a certificate would be renewed again at once. @param fallback the default of `duration` */
export const renewedInTime = (fallback: string): Rule => ({
  rule: `!has(self.renewBefore) || ${celSeconds('self.renewBefore')} < ${celSeconds('self.duration')}`,
  message: 'must be shorter than duration; lower renewBefore or raise duration',
  fieldPath: '.renewBefore',
  holds: ({ duration: whole = fallback, renewBefore: before }: Lifetime) =>
    before === undefined || secondsOf(before) < secondsOf(whole),
});

/** A subject's common name. X.509 limits it to 64 characters. */
export const commonName = (description: string) =>
  string(description, {
    minLength: 1,
    maxLength: 64,
    optional: true,
    rules: [matching('^[^\\x00-\\x1f\\x7f]*$', 'must not have control characters, such as line breaks; remove them')],
  });

const DNS_LABEL = '[a-zA-Z0-9_]([-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?';
const IPV4 = '((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const H = '[0-9a-fA-F]{1,4}';
const IPV6 = [
  `(${H}:){7}${H}`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(${H}:){1,${7 - after}}(:${H}){1,${after}}`),
  `(${H}:){1,7}:`,
  `:(:${H}){1,7}`,
  '::',
].join('|');

/** The names that a certificate is valid for. */
export const subjectNames = {
  dnsNames: list(
    'DNS names, such as `shop.example.com` or `*.example.com`.',
    string('DNS name. The first label can be `*`.', {
      minLength: 1,
      maxLength: 253,
      rules: [
        matching(
          `^([*][.])?${DNS_LABEL}([.]${DNS_LABEL})*$`,
          'must be a DNS name, such as shop.example.com, whose first label can be *; correct it',
        ),
      ],
    }),
    { minItems: 1, maxItems: 100, optional: true },
  ),
  ipAddresses: list(
    'IP addresses.',
    string('IPv4 or IPv6 address.', {
      minLength: 2,
      maxLength: 39,
      rules: [
        matching(`^(${IPV4}|${IPV6})$`, 'must be an IPv4 or IPv6 address, such as 10.0.0.1 or fd00::1; correct it'),
      ],
    }),
    { minItems: 1, maxItems: 100, optional: true },
  ),
  uris: list(
    'URIs, such as `spiffe://example.com/shop`.',
    string('URI.', {
      minLength: 3,
      maxLength: 1024,
      rules: [
        matching(
          '^[a-zA-Z][-a-zA-Z0-9+.]*:[!-~]+$',
          'must be an absolute URI of ASCII characters, such as spiffe://example.com/shop; correct it',
        ),
      ],
    }),
    { minItems: 1, maxItems: 100, optional: true },
  ),
  emailAddresses: list(
    'Email addresses.',
    string('Email address.', {
      minLength: 3,
      maxLength: 254,
      rules: [matching('^[!-?A-~]+@[-a-zA-Z0-9.]+$', 'must be an email address, such as jane@example.com; correct it')],
    }),
    { minItems: 1, maxItems: 100, optional: true },
  ),
};

/** The reference to an Issuer or ClusterIssuer. */
export const issuerReference = object('Issuer that signs the certificate.', {
  name: objectName('Name of the Issuer or ClusterIssuer.'),
  kind: enumeration(
    'Kind of the issuer. Defaults to Issuer, which is in the same namespace.',
    ['Issuer', 'ClusterIssuer'],
    {
      default: 'Issuer',
    },
  ),
});

/** A key of a Secret or ConfigMap. */
export const dataKey = <const D extends string>(description: string, preset: D) =>
  string(`${description} Defaults to ${preset}.`, {
    minLength: 1,
    maxLength: 253,
    pattern: '^[-._a-zA-Z0-9]+$',
    default: preset,
  });

/** A SHA-256 fingerprint in a status. */
export const fingerprint = (description: string) => text(`${description} 64 hexadecimal digits.`, 64);
