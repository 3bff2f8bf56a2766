import { objectName, optionalNamespaceName, optionalObjectName } from '../fields/names.js';
import { text, time } from '../fields/status-fields.js';
import { boolean, enumeration, integer, list, matching, object, type Rule, set, string } from '../schema/index.js';
import { caBundle, httpsUrl, webhook } from './webhook.js';

const zone = (description: string) =>
  string(description, {
    minLength: 1,
    maxLength: 253,
    rules: [
      matching(
        '^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?([.][a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?)*$',
        'must be a DNS name in lower case without a final dot, such as example.com; correct it',
      ),
    ],
  });

interface HttpSolver {
  readonly gateway?: unknown;
  readonly ingressClassName?: unknown;
}

const oneEntry: Rule = {
  rule: 'has(self.gateway) != has(self.ingressClassName)',
  message: 'must have exactly one of gateway and ingressClassName; set or remove one of them',
  holds: ({ gateway, ingressClassName: name }: HttpSolver) => (gateway === undefined) !== (name === undefined),
};

const http01 = object(
  'Answers HTTP-01 challenges. The operator must be reachable from the Gateway or Ingress controller.',
  {
    gateway: object(
      'Gateway that receives the requests for port 80. A listener of the class `reconstruct` has port 8000.',
      {
        name: objectName('Name of the Gateway.'),
        namespace: optionalNamespaceName('Namespace of the Gateway. Defaults to that of the Certificate.'),
        sectionName: optionalObjectName('Name of its listener. Defaults to all listeners.'),
      },
      { optional: true },
    ),
    ingressClassName: optionalObjectName('IngressClass whose controller receives the requests on port 80.'),
  },
  { optional: true, rules: [oneEntry] },
);

interface DnsSolver {
  readonly rfc2136?: unknown;
  readonly webhook?: unknown;
}

const oneDns: Rule = {
  rule: 'has(self.rfc2136) != has(self.webhook)',
  message: 'must have exactly one of rfc2136 and webhook; set or remove one of them',
  holds: ({ rfc2136, webhook: hook }: DnsSolver) => (rfc2136 === undefined) !== (hook === undefined),
};

const rfc2136 = object(
  'DNS server that accepts dynamic updates (RFC 2136), signed with TSIG.',
  {
    server: string('Host name or IP address of the primary server. The operator must allow it.', {
      minLength: 1,
      maxLength: 253,
      rules: [
        matching(
          '^[a-zA-Z0-9:]([-a-zA-Z0-9.:]*[a-zA-Z0-9:])?$',
          'must be a host name or an IP address without a port, such as 192.0.2.53; correct it',
        ),
      ],
    }),
    port: integer('TCP port of the server. Defaults to 53.', { minimum: 1, maximum: 65_535, default: 53 }),
    zone: zone('Zone that has the TXT records.'),
    tsigSecretRef: object(
      'Secret with the keys `name`, `secret` (base64) and optionally `algorithm` of the TSIG key. A ClusterIssuer has it in the namespace of the operator.',
      { name: objectName('Name of the Secret.') },
    ),
  },
  { optional: true },
);

const dns01 = object(
  'Answers DNS-01 challenges, which wildcards need.',
  { rfc2136, webhook },
  { optional: true, rules: [oneDns] },
);

interface Solver {
  readonly http01?: unknown;
  readonly dns01?: unknown;
}

const oneSolver: Rule = {
  rule: 'has(self.http01) != has(self.dns01)',
  message: 'must have exactly one of http01 and dns01; set or remove one of them',
  holds: ({ http01: http, dns01: dns }: Solver) => (http === undefined) !== (dns === undefined),
};

const solver = object(
  'Solver of challenges.',
  {
    http01,
    dns01,
    selector: object(
      'Names that the solver is for. Defaults to all names. The solver with the longest matching zone is used.',
      {
        dnsZones: set('Zones. The solver is for these names and all names below.', zone('DNS zone.'), {
          minItems: 1,
          maxItems: 64,
        }),
      },
      { optional: true },
    ),
  },
  { rules: [oneSolver] },
);

/** An ACME server and how the operator answers its challenges. */
export const acme = object(
  "ACME server, such as that of Let's Encrypt. The operator accepts its terms of service.",
  {
    server: httpsUrl(
      'URL of the directory. The operator must allow its host.',
      'https://acme-v02.api.letsencrypt.org/directory',
    ),
    caBundle,
    email: string('Contact of the account. Defaults to none.', {
      minLength: 3,
      maxLength: 254,
      optional: true,
      rules: [matching('^[!-?A-~]+@[-a-zA-Z0-9.]+$', 'must be an email address, such as jane@example.com; correct it')],
    }),
    externalAccount: object(
      'External account binding, which some certificate authorities require for a new account.',
      {
        keyId: string('Key identifier from the certificate authority.', { minLength: 1, maxLength: 1024 }),
        secretRef: object(
          'Secret with the key `secret`: the HMAC key from the certificate authority, in base64url. A ClusterIssuer has it in the namespace of the operator.',
          { name: objectName('Name of the Secret.') },
        ),
      },
      { optional: true },
    ),
    profile: string('Profile of the certificates. Defaults to that of the server.', {
      minLength: 1,
      maxLength: 64,
      optional: true,
    }),
    solvers: list('Solvers of challenges. Each name of a Certificate must match one.', solver, {
      minItems: 1,
      maxItems: 32,
    }),
  },
  { optional: true },
);

/** The account of an ACME server in the status of an issuer. */
export const acmeAccount = object(
  'Account at the ACME server.',
  {
    server: text('URL of the directory.', 1024),
    url: text('URL of the account.', 1024),
    email: text('Contact that was last sent to the server.', 254),
  },
  { optional: true },
);

const challenge = object('Challenge.', {
  name: string('Name to validate, without `*.`.', { maxLength: 253 }),
  isWildcard: boolean('Whether it is for a wildcard.'),
  type: enumeration('Type of the challenge.', ['http-01', 'dns-01']),
  url: string('URL of the challenge.', { maxLength: 1024 }),
  token: string('Token of the challenge.', { maxLength: 1024 }),
  keyAuthorization: string('Response to HTTP-01. It is not secret.', { maxLength: 1024 }),
  record: text('Value of the TXT record of DNS-01.', 255),
});

/** The status of a Certificate as far as its orders go. */
export const orderStatus = {
  server: text('URL of the directory of the ACME server that issued the certificate.', 1024),
  renewalInfo: object(
    'Renewal information (RFC 9773) of the ACME server for the certificate. Absent if the server has none.',
    {
      id: text('Identifier of the certificate. The order that renews it states which one it replaces.', 128),
      start: time('Start of the window in which the server suggests to renew.'),
      end: time('End of the window.'),
      explanationURL: text('URL of a page on the cause of the window.', 1024),
    },
    { optional: true },
  ),
  order: object(
    'Order at the ACME server. A restarted operator continues with it.',
    {
      url: text('URL of the order.', 1024),
      account: text('URL of the account that created it.', 1024),
      profile: text('Profile of the order.', 64),
      challenges: list('Challenges whose responses must be in place.', challenge, { maxItems: 200, optional: true }),
    },
    { optional: true },
  ),
  failedOrders: object(
    'Failed orders since the last certificate, or since the spec changed.',
    {
      count: integer('Number of failed orders.', { minimum: 0, optional: true }),
      lastTime: time('Time at which the last one failed.'),
      message: text('Cause of the failure, in the words of the server.', 1024),
      generation: integer('Value of `metadata.generation` for which they failed.', { format: 'int64', optional: true }),
    },
    { optional: true },
  ),
  responses: object(
    'Responses to the challenges of the order.',
    {
      order: text('URL of the order.', 1024),
      since: time('Time since which all responses are in place.'),
      visible: set('URLs of the challenges whose responses are visible.', string('URL.', { maxLength: 1024 }), {
        maxItems: 200,
        optional: true,
      }),
      problem: text('Cause for which the next response is not visible yet.', 1024),
    },
    { optional: true },
  ),
  records: list(
    'TXT records that the operator adds or removes. They are recorded before.',
    object('TXT record.', {
      server: text('Server that has the zone.', 253),
      port: integer('Port of the server.', { optional: true }),
      zone: text('Zone.', 253),
      url: text('URL of the webhook that changes the record, instead of a server.', 1024),
      name: string('Name of the record.', { maxLength: 512 }),
      value: string('Value of the record.', { maxLength: 255 }),
      phase: enumeration('Step of the record.', ['Adding', 'Added', 'Removing']),
    }),
    { maxItems: 400, optional: true },
  ),
};
