import { objectName, optionalNamespaceName, optionalObjectName } from '../fields/names.js';
import { enumeration, integer, matching, object, type Rule, string } from '../schema/index.js';

const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';

interface External {
  readonly type: string;
  readonly host?: string;
  readonly gateway?: object;
}

const HOST_NEEDED: Rule = {
  rule: "self.type == 'LoadBalancer' || has(self.host)",
  message:
    'must be set for NodePort, where it leads to the machines, and for TlsRoute, where broker-ID.HOST leads to the Gateway; set it to a DNS name',
  fieldPath: '.host',
  holds: ({ type, host }: External) => type === 'LoadBalancer' || host !== undefined,
};

const GATEWAY_FITS: Rule = {
  rule: "(self.type == 'TlsRoute') == has(self.gateway)",
  message:
    'must be set for TlsRoute, and must not be set for other types; name a Gateway with a TLS listener in mode Passthrough, or remove it',
  fieldPath: '.gateway',
  holds: ({ type, gateway }: External) => (type === 'TlsRoute') === (gateway !== undefined),
};

/** `external` of a listener. */
export const external = object(
  'Addresses for clients in other networks. Each broker has its own, which it advertises. Defaults to none: then clients connect from within the Kubernetes cluster.',
  {
    type: enumeration(
      'Way to the brokers. `LoadBalancer` and `NodePort` create a Service for each broker, and `TlsRoute` a TLSRoute of the Gateway API for each.',
      ['LoadBalancer', 'NodePort', 'TlsRoute'],
    ),
    host: string(
      'DNS name that clients use. For `NodePort` it leads to the machines. For `TlsRoute` it leads to the Gateway, and so do the names `broker-ID.HOST`. For `LoadBalancer`, the brokers advertise `broker-ID.HOST`, and the Services ask external-dns for these names. For `LoadBalancer` it defaults to the addresses of the Services.',
      {
        minLength: 1,
        // The names of the brokers are longer by `broker-ID.`.
        maxLength: 236,
        rules: [
          matching(
            `^${LABEL}([.]${LABEL})+$`,
            'must be a DNS name of lower-case letters, digits and -, with a dot, such as kafka.example.com; correct it',
          ),
        ],
        optional: true,
      },
    ),
    gateway: object(
      'Gateway of the TLSRoutes.',
      {
        name: objectName('Name of the Gateway.'),
        namespace: optionalNamespaceName('Namespace of the Gateway. Defaults to that of the KafkaCluster.'),
        sectionName: optionalObjectName(
          'Name of the listener of the Gateway, with protocol TLS and mode Passthrough. Defaults to all listeners that fit.',
        ),
        port: integer('Port of that listener, at which clients connect. Defaults to 443.', {
          minimum: 1,
          maximum: 65_535,
          default: 443,
        }),
      },
      { optional: true },
    ),
  },
  { optional: true, rules: [HOST_NEEDED, GATEWAY_FITS] },
);
