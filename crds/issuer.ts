import { acme, acmeAccount } from './certificates/acme.js';
import {
  commonName,
  fingerprint,
  keySize,
  privateKeyFields,
  renewBefore,
  renewedInTime,
  validity,
} from './certificates/fields.js';
import { objectName, optionalObjectName } from './fields/names.js';
import { text, time } from './fields/status-fields.js';
import { labelSelectorFields } from './pod-template/selectors.js';
import { defineKind, integer, matching, object, type Rule, set, string } from './schema/index.js';

const preset = '1095d';

interface Authority {
  readonly commonName?: string;
  readonly secretName?: string;
}

const oneOrigin: Rule = {
  rule: 'has(self.commonName) != has(self.secretName)',
  message:
    'must have exactly one of commonName, for a CA that the operator generates, and secretName, for your own CA; set or remove one of them',
  holds: ({ commonName: name, secretName }: Authority) => (name === undefined) !== (secretName === undefined),
};

const ca = object(
  'Certificate authority (CA) whose key is in a Secret.',
  {
    commonName: commonName('Common name of a CA that the operator generates and renews.'),
    secretName: optionalObjectName(
      'Secret of type `kubernetes.io/tls` with your own CA. The operator only reads it. A ClusterIssuer has it in the namespace of the operator.',
    ),
    duration: validity('a generated CA', preset),
    renewBefore: renewBefore(
      'Time before the end of a generated CA at which the operator generates the next one. Defaults to a third of the validity.',
    ),
    privateKey: object('Private key of a generated CA.', privateKeyFields, { default: {}, rules: [keySize] }),
  },
  { optional: true, rules: [oneOrigin, renewedInTime(preset)] },
);

const crl = object(
  'Certificate revocation list (CRL) that the operator signs and renews.',
  {
    configMap: objectName(
      'ConfigMap for the list, with the key `ca.crl`. A ClusterIssuer has it in the namespace of the operator.',
    ),
    revoked: set(
      'Serial numbers of the revoked certificates, as in the status of a Certificate. Defaults to none.',
      string('Serial number.', {
        minLength: 1,
        maxLength: 40,
        rules: [
          matching('^[0-9a-f]+$', 'must be lower-case hexadecimal digits, as in status.serialNumber; correct it'),
        ],
      }),
      { maxItems: 1000, default: [] },
    ),
  },
  { optional: true },
);

interface Signer {
  readonly ca?: unknown;
  readonly acme?: unknown;
  readonly crl?: unknown;
}

const oneSigner: Rule = {
  rule: 'has(self.ca) != has(self.acme)',
  message: 'must have exactly one of ca, for a CA with its key in a Secret, and acme; set or remove one of them',
  holds: (spec: Signer) => (spec.ca === undefined) !== (spec.acme === undefined),
};

const listOfOwnCA: Rule = {
  rule: '!has(self.crl) || has(self.ca)',
  message: 'must not be set for an ACME server, which publishes its own revocations; remove crl',
  fieldPath: '.crl',
  holds: (spec: Signer) => spec.crl === undefined || spec.ca !== undefined,
};

/** The desired state of an Issuer. */
export const issuerSpec = object('Desired issuer.', { ca, acme, crl }, { rules: [oneSigner, listOfOwnCA] });

/** The desired state of a ClusterIssuer. */
export const clusterIssuerSpec = object(
  'Desired issuer.',
  {
    ca,
    acme,
    crl,
    namespaces: object(
      'Namespaces whose Certificates can use the issuer, by their labels. Set `{}` to allow all namespaces.',
      labelSelectorFields(),
    ),
  },
  { rules: [oneSigner, listOfOwnCA] },
);

/** The observed state of an Issuer or ClusterIssuer. */
export const issuerStatus = object('Observed state of the issuer. The operator writes it.', {
  secretRef: object(
    'Secret with the key of the CA or of the ACME account.',
    { name: text('Name of the Secret.'), namespace: text('Namespace of the Secret.', 63) },
    { optional: true },
  ),
  account: acmeAccount,
  fingerprint: fingerprint('SHA-256 fingerprint of the CA certificate that signs.'),
  nextFingerprint: fingerprint('SHA-256 fingerprint of the next CA certificate, which does not sign yet.'),
  notAfter: time('End of the validity of the CA certificate that signs.'),
  renewalTime: time('Time at which the operator generates the next CA.'),
  issuing: text(
    'Cause for which the operator generates a CA or an account key, such as `Expiring`. It is recorded before.',
    64,
  ),
  unusedSince: time('Time since which no Certificate of the issuer uses an earlier CA that is still in the bundle.'),
  crl: object(
    'Certificate revocation list. It is recorded before it is signed.',
    {
      number: integer('Number of the list.', { format: 'int64', minimum: 0, optional: true }),
      thisUpdate: time('Time at which the list was signed.'),
      nextUpdate: time('Time from which clients reject the list. It is signed anew when a third of its week is left.'),
    },
    { optional: true },
  ),
  caBundle: text(
    'CA certificates that clients must trust, in PEM format. The first one signs. During a renewal of the CA, the bundle has the old and the new certificate.',
    65_536,
  ),
  chain: text('Certificates between the issued certificates and the root, in PEM format.', 65_536),
});

const columns = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Expires', type: 'string', jsonPath: '.status.notAfter' },
  { name: 'Renews', type: 'string', jsonPath: '.status.renewalTime' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
] as const;

const v1alpha1 = { name: 'v1alpha1', served: true, storage: true, status: issuerStatus, columns } as const;

/** The kind Issuer: a CA or an ACME server for the Certificates of its namespace. */
export const issuer = defineKind({
  group: 'reconstruct.dev',
  kind: 'Issuer',
  shortNames: ['rissuer'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      ...v1alpha1,
      description: 'Certificate authority or ACME server for the Certificates of its namespace.',
      spec: issuerSpec,
    },
  ],
});

/** The kind ClusterIssuer: a CA or an ACME server for the Certificates of several namespaces. */
export const clusterIssuer = defineKind({
  group: 'reconstruct.dev',
  kind: 'ClusterIssuer',
  shortNames: ['rclusterissuer'],
  categories: ['reconstruct'],
  scope: 'Cluster',
  versions: [
    {
      ...v1alpha1,
      description: 'Certificate authority or ACME server for the Certificates of the selected namespaces.',
      spec: clusterIssuerSpec,
    },
  ],
});
