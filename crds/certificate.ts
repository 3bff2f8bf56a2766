import { orderStatus } from './certificates/acme.js';
import {
  commonName,
  dataKey,
  fingerprint,
  issuerReference,
  keySize,
  privateKeyFields,
  renewBefore,
  renewedInTime,
  subjectNames,
  validity,
} from './certificates/fields.js';
import { certificateConsumers } from './consumers.js';
import { objectName } from './fields/names.js';
import { text, time } from './fields/status-fields.js';
import {
  boolean,
  defineKind,
  enumeration,
  integer,
  list,
  matching,
  object,
  type Rule,
  set,
  string,
} from './schema/index.js';

const privateKey = object(
  'Private key of the certificate.',
  {
    ...privateKeyFields,
    rotation: enumeration(
      'Whether a renewal generates a new key. With `Never`, the key stays until it is lost or the algorithm changes. Defaults to Always.',
      ['Always', 'Never'],
      { default: 'Always' },
    ),
  },
  { default: {}, rules: [keySize] },
);

/** The usages of a key, with the names of the CertificateSigningRequest API. */
export const usageNames = [
  'digital signature',
  'content commitment',
  'key encipherment',
  'data encipherment',
  'key agreement',
  'cert sign',
  'crl sign',
  'server auth',
  'client auth',
  'code signing',
  'email protection',
  'timestamping',
  'ocsp signing',
] as const;

const NAMES = ['dnsNames', 'ipAddresses', 'uris', 'emailAddresses', 'commonName'] as const;

type Named = { readonly [name in (typeof NAMES)[number]]?: unknown };

const hasName: Rule = {
  rule: NAMES.map((name) => `has(self.${name})`).join(' || '),
  message: 'must have a name; set dnsNames, ipAddresses, uris, emailAddresses or commonName',
  holds: (spec: Named) => NAMES.some((name) => spec[name] !== undefined),
};

interface Renewal {
  readonly renewBefore?: string;
  readonly renewAt?: string;
}

const oneRenewal: Rule = {
  rule: '!(has(self.renewBefore) && has(self.renewAt))',
  message: 'must not be set together with renewBefore; remove one of them',
  fieldPath: '.renewAt',
  holds: ({ renewBefore: before, renewAt }: Renewal) => before === undefined || renewAt === undefined,
};

const keystores = object(
  'Key stores in the Secret beside `tls.crt`. They change in the same write.',
  {
    pkcs12: object(
      'PKCS #12, which Java reads. `keystore.p12` has the private key with its chain, and `truststore.p12` the certificates of `ca.crt`.',
      {
        passwordSecretRef: object(
          'Secret with the password of both stores, in the same namespace. If it is missing, the Secret of the certificate stays as it is.',
          {
            name: objectName('Name of the Secret.'),
            key: dataKey(
              'Key of the password, which must be printable ASCII characters without a line break.',
              'password',
            ),
          },
        ),
      },
    ),
  },
  { optional: true },
);

const additionalOutputFormats = list(
  'Other formats of the private key in the Secret. They change in the same write as `tls.key`. Defaults to none.',
  object('Format.', {
    type: enumeration(
      'Format of the key. `CombinedPEM` adds `tls-combined.pem`, which has `tls.key`, an empty line and `tls.crt`. `DER` adds `key.der`, which has the key in PKCS #8.',
      ['CombinedPEM', 'DER'],
    ),
  }),
  { maxItems: 2, optional: true },
);

interface Stored {
  readonly secretName: string;
  readonly keystores?: { readonly pkcs12: { readonly passwordSecretRef: { readonly name: string } } };
}

const ownPassword: Rule = {
  rule: '!has(self.keystores) || self.keystores.pkcs12.passwordSecretRef.name != self.secretName',
  message: 'must differ from secretName, whose Secret the operator writes; name another Secret',
  fieldPath: '.keystores.pkcs12.passwordSecretRef.name',
  holds: ({ secretName, keystores: stores }: Stored) => stores?.pkcs12.passwordSecretRef.name !== secretName,
};

/** The validity of a certificate whose spec states none. */
export const defaultCertificateDuration = '90d';

/** The desired state of a Certificate. */
export const certificateSpec = object(
  'Desired certificate.',
  {
    secretName: objectName(
      'Secret of type `kubernetes.io/tls` for the certificate, in the same namespace. It has the keys `tls.crt`, `tls.key` and `ca.crt`, which always change in one write.',
    ),
    issuer: issuerReference,
    commonName: commonName('Common name of the subject. Servers need it in `dnsNames` or `ipAddresses`.'),
    ...subjectNames,
    usages: set(
      'Usages of the key. Defaults to `digital signature`, `key encipherment` and `server auth`.',
      enumeration('Usage.', usageNames),
      { minItems: 1, maxItems: 16, default: ['digital signature', 'key encipherment', 'server auth'] },
    ),
    isCA: boolean('Whether the certificate can sign other certificates. Defaults to false.', { default: false }),
    duration: validity('a certificate', defaultCertificateDuration),
    renewBefore: renewBefore(
      'Time before the end of the certificate at which it is renewed. Defaults to a third of the validity, spread by up to 5 %, so that certificates of one day are not renewed at the same time.',
    ),
    renewAt: string('Part of the validity after which the certificate is renewed, such as `66%`.', {
      maxLength: 3,
      optional: true,
      rules: [matching('^[1-9][0-9]?%$', 'must be a percentage from 1% to 99%, such as 66%; correct it')],
    }),
    privateKey,
    keystores,
    additionalOutputFormats,
    consumers: certificateConsumers(
      'Workloads that use the Secret, and ports of Services that serve the certificate. An earlier CA stays in `ca.crt` until each of them was seen with a certificate of the current one. Defaults to none.',
    ),
  },
  { rules: [hasName, oneRenewal, renewedInTime(defaultCertificateDuration), ownPassword] },
);

/** The observed state of a Certificate. It never has the private key. */
export const certificateStatus = object('Observed state of the certificate. The operator writes it.', {
  subject: text('First name of the certificate, for display.', 1024),
  notBefore: time('Start of the validity.'),
  notAfter: time('End of the validity.'),
  renewalTime: time('Time at which the certificate is renewed.'),
  serialNumber: text('Serial number, in hexadecimal digits.', 64),
  revision: integer('Number of certificates that were issued so far.', {
    format: 'int64',
    minimum: 0,
    optional: true,
  }),
  issuing: object(
    'Certificate that is being issued. It is recorded before a key is generated, so that a restarted operator continues.',
    {
      reason: text('Cause, such as `SpecChanged` or `Expiring`.', 64),
      replaces: text('Serial number of the certificate that is replaced.', 64),
      requested: text('Value of the annotation `reconstruct.dev/renew` that the certificate is issued for.', 1024),
    },
    { optional: true },
  ),
  requested: text('Last value of the annotation `reconstruct.dev/renew` that a certificate was issued for.', 1024),
  issuerFingerprint: fingerprint('SHA-256 fingerprint of the CA certificate that signed the certificate.'),
  trustedFingerprints: set(
    'SHA-256 fingerprints of the CA certificates in `ca.crt`.',
    string('Fingerprint.', { maxLength: 64 }),
    { maxItems: 32, optional: true },
  ),
  consumers: text('Consumers that were seen with the certificate, out of all.', 16),
  content: object(
    'Content of the Secret that the consumers must have. Absent without consumers.',
    { hash: text('Hash of the content.', 64), since: time('Time at which the operator first saw it.') },
    { optional: true },
  ),
  adopted: text('Identifies the content of the Secret that each consumer was seen with.', 64),
  earlierIssuerFingerprints: set(
    'SHA-256 fingerprints of other CA certificates that signed a certificate which a consumer may still use.',
    string('Fingerprint.', { maxLength: 64 }),
    { maxItems: 32, optional: true },
  ),
  certificate: text(
    'Certificate with its chain, in PEM format. If it is lost from the Secret, the operator restores it from here.',
    32_768,
  ),
  ...orderStatus,
});

/** The kind Certificate: a TLS certificate that renews itself. */
export const certificate = defineKind({
  group: 'reconstruct.dev',
  kind: 'Certificate',
  shortNames: ['rcert'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Certificate that an Issuer signs, and that is renewed before it expires.',
      spec: certificateSpec,
      status: certificateStatus,
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Subject', type: 'string', jsonPath: '.status.subject' },
        { name: 'Expires', type: 'string', jsonPath: '.status.notAfter' },
        { name: 'Renews', type: 'string', jsonPath: '.status.renewalTime' },
        {
          name: 'Consumers',
          type: 'string',
          jsonPath: '.status.consumers',
          description: 'Consumers that were seen with the certificate, out of all.',
        },
        { name: 'Secret', type: 'string', jsonPath: '.spec.secretName', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
