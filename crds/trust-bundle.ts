import { dataKey } from './certificates/fields.js';
import { namespaceName, objectName, optionalNamespaceName } from './fields/names.js';
import { text, time } from './fields/status-fields.js';
import { labelSelectorFields } from './pod-template/selectors.js';
import {
  boolean,
  defineKind,
  enumeration,
  integer,
  list,
  matching,
  object,
  type Rule,
  string,
} from './schema/index.js';

const KINDS = ['issuer', 'configMap', 'secret', 'inline', 'publicCAs'] as const;

type Source = { readonly [kind in (typeof KINDS)[number]]?: unknown };

const oneSource: Rule = {
  rule: `[${KINDS.map((kind) => `has(self.${kind})`).join(', ')}].filter(is, is).size() == 1`,
  message: 'must have exactly one of issuer, configMap, secret, inline and publicCAs; set or remove one of them',
  holds: (source: Source) => KINDS.filter((kind) => source[kind] !== undefined).length === 1,
};

interface IssuerSource {
  readonly kind?: string;
  readonly namespace?: string;
}

const issuerNamespace: Rule = {
  rule: "has(self.namespace) == (self.kind == 'Issuer')",
  message: 'must be set for an Issuer, and absent for a ClusterIssuer; set or remove namespace',
  fieldPath: '.namespace',
  holds: ({ kind = 'Issuer', namespace }: IssuerSource) => (namespace !== undefined) === (kind === 'Issuer'),
};

const issuer = object(
  'CA certificates of an issuer. During a renewal of its CA, these are the old and the new one.',
  {
    name: objectName('Name of the Issuer or ClusterIssuer.'),
    kind: enumeration('Kind of the issuer. Defaults to Issuer.', ['Issuer', 'ClusterIssuer'], { default: 'Issuer' }),
    namespace: optionalNamespaceName('Namespace of the Issuer.'),
  },
  { optional: true, rules: [issuerNamespace] },
);

const held = (kind: string) =>
  object(
    `${kind} with CA certificates in PEM format.`,
    {
      name: objectName(`Name of the ${kind}.`),
      namespace: namespaceName(`Namespace of the ${kind}.`),
      key: dataKey('Key of the certificates.', 'ca.crt'),
    },
    { optional: true },
  );

const source = object(
  'Source of CA certificates.',
  {
    issuer,
    configMap: held('ConfigMap'),
    secret: held('Secret'),
    inline: string('CA certificates in PEM format.', { minLength: 1, maxLength: 65_536, optional: true }),
    publicCAs: boolean('Public CAs that Mozilla trusts, as the operator has them.', {
      optional: true,
      rules: [
        { rule: 'self', message: 'must be true; set it to true or remove the source', holds: (is: boolean) => is },
      ],
    }),
  },
  { rules: [oneSource] },
);

const trustStore = object(
  'Trust store in PKCS #12 format with the same certificates, which Java reads. It is in `binaryData` of the ConfigMap.',
  {
    key: dataKey('Key of the trust store.', 'truststore.p12'),
    password: string(
      'Password of the trust store, which programs require. It protects nothing: CA certificates are public. Defaults to changeit.',
      {
        minLength: 1,
        maxLength: 128,
        default: 'changeit',
        rules: [
          matching('^[ -~]*$', 'must be printable ASCII characters, because Java reads no other password; correct it'),
        ],
      },
    ),
  },
  { optional: true },
);

interface Target {
  readonly key?: string;
  readonly pkcs12?: { readonly key?: string };
}

const ownKey: Rule = {
  rule: '!has(self.pkcs12) || self.pkcs12.key != self.key',
  message: 'must differ from target.key, which has the certificates in PEM format; set another key',
  fieldPath: '.pkcs12.key',
  holds: ({ key = 'ca.crt', pkcs12 }: Target) => !pkcs12 || (pkcs12.key ?? 'truststore.p12') !== key,
};

/** The desired state of a TrustBundle. */
export const trustBundleSpec = object('Desired bundle of CA certificates.', {
  sources: list('Sources of the certificates. Each certificate is published once.', source, {
    minItems: 1,
    maxItems: 32,
  }),
  namespaces: object(
    'Namespaces that get the bundle, by their labels. Set `{}` for all namespaces.',
    labelSelectorFields(),
  ),
  target: object(
    'Place of the bundle in each of the namespaces.',
    {
      configMap: objectName('Name of the ConfigMap.'),
      key: dataKey('Key of the certificates, in PEM format.', 'ca.crt'),
      pkcs12: trustStore,
    },
    { rules: [ownKey] },
  ),
});

/** The observed state of a TrustBundle. */
export const trustBundleStatus = object('Observed state of the bundle. The operator writes it.', {
  certificates: integer('Number of certificates in the bundle.', { minimum: 0, optional: true }),
  namespaces: integer('Number of namespaces with the bundle.', { minimum: 0, optional: true }),
  notAfter: time('Earliest end of the validity of a certificate in the bundle.'),
  sources: list(
    'Certificates that the bundle has from each source, without those of publicCAs. A source that fails keeps them.',
    object('Source with its certificates.', {
      source: string('Source, such as `Issuer/shop/internal` or `ConfigMap/shop/cas/ca.crt`.', { maxLength: 1024 }),
      fingerprints: list('SHA-256 fingerprints of the certificates.', string('Fingerprint.', { maxLength: 64 }), {
        maxItems: 4096,
      }),
      since: time('Time since which every selected namespace has them. Absent until then.'),
    }),
    { maxItems: 32, optional: true },
  ),
  hash: text(
    'SHA-256 of the bundle. While a source fails, the operator publishes only content with this hash, which no user of a namespace has edited.',
    64,
  ),
});

/** The kind TrustBundle: CA certificates in a ConfigMap of each selected namespace. */
export const trustBundle = defineKind({
  group: 'reconstruct.dev',
  kind: 'TrustBundle',
  shortNames: ['rbundle'],
  categories: ['reconstruct'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'CA certificates that clients trust, in a ConfigMap of each selected namespace.',
      spec: trustBundleSpec,
      status: trustBundleStatus,
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Certificates', type: 'integer', jsonPath: '.status.certificates' },
        { name: 'Namespaces', type: 'integer', jsonPath: '.status.namespaces' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});
