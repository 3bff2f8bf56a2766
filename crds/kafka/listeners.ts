import { objectName } from '../fields/names.js';
import { boolean, enumeration, integer, keyedList, object, type Rule, string } from '../schema/index.js';
import { external } from './external.js';

interface Listener {
  readonly name: string;
  readonly port: number;
  readonly authentication?: string;
  readonly tls?: { readonly enabled?: boolean };
  readonly external?: { readonly type: string };
}

const PORTS_DIFFER: Rule = {
  rule: 'self.all(one, self.filter(other, other.port == one.port).size() == 1)',
  message: 'must have different ports; change one of them',
  holds: (all: readonly Listener[]) => new Set(all.map(({ port }) => port)).size === all.length,
};

const MUTUAL_NEEDS_TLS: Rule = {
  rule: "self.authentication != 'MutualTls' || self.tls.enabled",
  message:
    'must be Scram or None without TLS, because the certificate of a client is part of TLS; set tls.enabled to true',
  fieldPath: '.authentication',
  holds: ({ authentication, tls }: Listener) => authentication !== 'MutualTls' || tls?.enabled !== false,
};

const ROUTE_NEEDS_TLS: Rule = {
  rule: "!has(self.external) || self.external.type != 'TlsRoute' || self.tls.enabled",
  message:
    'must not be TlsRoute without TLS, because the Gateway finds the broker by the name in the TLS handshake; set tls.enabled to true, or use another type',
  fieldPath: '.external.type',
  holds: ({ external: of, tls }: Listener) => of?.type !== 'TlsRoute' || tls?.enabled !== false,
};

const reserved = ['controller', 'replication'];

/** `spec.listeners`. */
export const listeners = keyedList(
  'Ports for clients. Defaults to a listener `internal` on port 9092 with TLS and SCRAM.',
  ['name'],
  object(
    'Listener.',
    {
      name: string('Name of the listener.', {
        minLength: 1,
        maxLength: 20,
        pattern: '^[a-z][a-z0-9]*$',
        rules: [
          {
            rule: `!(self in ['${reserved.join("', '")}'])`,
            message: 'must not be controller or replication, which the nodes use; choose another name',
            holds: (name: string) => !reserved.includes(name),
          },
        ],
      }),
      port: integer('Port of the listener, from 9092 to 9399.', { minimum: 9092, maximum: 9399 }),
      tls: object(
        'Encryption.',
        {
          enabled: boolean('Whether clients connect with TLS. Defaults to true.', { default: true }),
          issuer: object(
            'Issuer of the certificate of the listener. Defaults to the issuer that the operator creates for the cluster.',
            {
              name: objectName('Name of the issuer.'),
              kind: enumeration('Kind of the issuer. Defaults to Issuer.', ['Issuer', 'ClusterIssuer'], {
                default: 'Issuer',
              }),
            },
            { optional: true },
          ),
        },
        { default: {} },
      ),
      authentication: enumeration(
        'Login of the clients. `Scram` uses the password of a KafkaUser, and `MutualTls` its certificate. Defaults to Scram.',
        // Not `Off`, which YAML 1.1 reads as a boolean.
        ['Scram', 'MutualTls', 'None'],
        { default: 'Scram' },
      ),
      external,
    },
    { rules: [MUTUAL_NEEDS_TLS, ROUTE_NEEDS_TLS] },
  ),
  {
    minItems: 1,
    maxItems: 8,
    default: [{ name: 'internal', port: 9092, tls: { enabled: true }, authentication: 'Scram' as const }],
    rules: [PORTS_DIFFER],
  },
);
