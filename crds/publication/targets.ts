import { caBundle } from '../certificates/webhook.js';
import { objectName } from '../fields/names.js';
import { enumeration, list, matching, object, type Rule, set, string } from '../schema/index.js';
import { nameInZone, secretReference, serverPort, targetPort, ttl, zone } from './fields.js';

interface InZone {
  readonly zone: string;
  readonly name?: string;
}

const absoluteInZone: Rule = {
  rule: "!has(self.name) || !self.name.endsWith('.') || self.name == self.zone + '.' || self.name.endsWith('.' + self.zone + '.')",
  message: 'must be in the zone; correct name or zone, or remove the final dot for a relative name',
  fieldPath: '.name',
  holds: ({ name, zone: of }: InZone) =>
    name === undefined || !name.endsWith('.') || name === `${of}.` || name.endsWith(`.${of}.`),
};

const dns = object(
  'DNS server that accepts dynamic updates (RFC 2136), signed with TSIG. A and AAAA records are published, or a CNAME for a load balancer with a host name.',
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
    port: serverPort('TCP port of the server. Defaults to 53.', 53),
    zone: zone('Zone that the server has.'),
    name: nameInZone,
    ttl,
    tsigSecretRef: object(
      'Secret with the keys `name`, `secret` (base64) and optionally `algorithm` of the TSIG key.',
      { name: objectName('Name of the Secret.') },
    ),
    srv: set(
      'Named ports of the Service for which SRV records are published, such as `_http._tcp.billing` for the port `http`. Only with `service`. Defaults to none.',
      string('Name of a port.', { minLength: 1, maxLength: 15, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
      { minItems: 1, maxItems: 16, optional: true },
    ),
  },
  { optional: true, rules: [absoluteInZone] },
);

const file = object(
  'ConfigMap with the addresses, which the operator creates.',
  {
    configMap: objectName('Name of the ConfigMap.'),
    format: enumeration(
      'Format. With `Hosts`, the file has lines of `/etc/hosts`. With `HAProxyMap`, it maps each address to the name. With `PrometheusFileSD`, it is for `file_sd_configs`. With `JSON`, it has all ports. With `Env`, the ConfigMap has variables for `envFrom`.',
      ['Hosts', 'HAProxyMap', 'PrometheusFileSD', 'JSON', 'Env'],
    ),
    name: string('Host name in the file. Defaults to the name of the Service, or to the host names.', {
      minLength: 1,
      maxLength: 253,
      optional: true,
      rules: [
        matching(
          '^[a-zA-Z0-9_]([-._a-zA-Z0-9]*[a-zA-Z0-9])?$',
          'must be a host name of ASCII characters, such as billing; correct it',
        ),
      ],
    }),
    port: targetPort,
  },
  { optional: true },
);

const haproxy = object(
  'Servers of a backend of a running HAProxy, by its runtime API. HAProxy 2.6 or later is required.',
  {
    address: string(
      'Host and port where the `stats socket` of HAProxy listens, such as `10.0.0.9:9999`. The operator must allow it.',
      {
        minLength: 3,
        maxLength: 260,
        rules: [
          matching(
            '^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?|\\[[a-fA-F0-9:.]+\\]):[1-9][0-9]{0,4}$',
            'must be a host and a port, such as 10.0.0.9:9999 or [fd00::9]:9999; correct it',
          ),
        ],
      },
    ),
    backend: string('Name of the backend, which the configuration of HAProxy must have.', {
      minLength: 1,
      maxLength: 128,
      rules: [
        matching(
          '^[-._:a-zA-Z0-9]+$',
          'must be the name of a backend: letters, digits, -, _, . and : are allowed; correct it',
        ),
      ],
    }),
    port: targetPort,
  },
  { optional: true },
);

const serverUrl = (description: string, example: string) =>
  string(description, {
    minLength: 8,
    maxLength: 1024,
    rules: [
      matching(
        '^https?://[^/?#@ ]+(/[^?#@ ]*)?$',
        `must be an http or https URL without a user, a query or a fragment, such as ${example}; correct it`,
      ),
    ],
  });

const webhook = object(
  "DNS provider with external-dns' webhook protocol, such as one for a cloud.",
  {
    url: serverUrl(
      'URL below which the webhook serves `records` and `adjustendpoints`. The operator must allow its host.',
      'http://dns-webhook.dns:8888',
    ),
    caBundle,
    tokenSecretRef: secretReference(
      'Secret with the key `token`, which the operator sends as a bearer token. Defaults to none.',
    ),
    zone: zone('Zone of the names.'),
    name: nameInZone,
    ttl,
  },
  { optional: true, rules: [absoluteInZone] },
);

const etcd = object(
  'Keys of an etcd, in the layout that the plug-in `etcd` of CoreDNS reads.',
  {
    endpoints: list(
      'URLs of its members, which are asked in this order. The operator must allow their hosts.',
      serverUrl('URL for clients.', 'https://10.0.0.5:2379'),
      { minItems: 1, maxItems: 8 },
    ),
    key: string('Key below which the addresses are written, such as `/skydns/com/example/billing`.', {
      minLength: 2,
      maxLength: 512,
      rules: [
        matching(
          '^(/[-._a-zA-Z0-9]+)+$',
          'must be segments after slashes without a final slash, such as /skydns/com/example/billing; correct it',
        ),
      ],
    }),
    port: targetPort,
    ttl,
    secretRef: secretReference(
      'Secret with the keys `ca.crt`, `tls.crt` and `tls.key`, and `username` and `password`. All are optional. Defaults to none.',
    ),
  },
  { optional: true },
);

const types = ['dns', 'file', 'haproxy', 'webhook', 'etcd'] as const;
type Target = { readonly [type in (typeof types)[number]]?: unknown };

const oneType: Rule = {
  rule: `[${types.map((type) => `has(self.${type})`).join(', ')}].exists_one(is, is)`,
  message: 'must have exactly one type; set dns, file, haproxy, webhook or etcd',
  holds: (target: Target) => types.filter((type) => target[type] !== undefined).length === 1,
};

/** A place where addresses are published. */
export const target = object(
  'Target. Exactly one field must be set.',
  { dns, file, haproxy, webhook, etcd },
  { rules: [oneType] },
);
