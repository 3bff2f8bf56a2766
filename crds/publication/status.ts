import { text, time } from '../fields/status-fields.js';
import { enumeration, integer, list, object, set, string } from '../schema/index.js';

/** The most addresses that are published. */
export const mostAddresses = 1000;

const ports = list(
  'Ports of the addresses.',
  object('Port.', {
    name: string('Name of the port. Empty for the only port of a Service.', { maxLength: 63 }),
    port: integer('Number.', { minimum: 1, maximum: 65_535 }),
    protocol: string('Protocol.', { maxLength: 8 }),
  }),
  { maxItems: 100 },
);

const targetStatus = object('Observed state of a target.', {
  type: enumeration('Type of the target.', ['dns', 'file', 'haproxy', 'webhook', 'etcd']),
  where: string('Name, backend, key or ConfigMap, and its server.', { maxLength: 1024 }),
  state: enumeration(
    'State of the target. `Blocked`: another owner has the name. `Failed`: see the message. `Withdrawing`: it is no longer in the spec.',
    ['Published', 'Pending', 'DryRun', 'Blocked', 'Failed', 'Withdrawing'],
  ),
  records: integer('Number of records, servers or keys of this publication that the target has.', {
    minimum: 0,
    optional: true,
  }),
  message: text('Cause of the state.', 1024),
  since: time('Time since which the target has the state.'),
});

/** What the operator has written, or is about to write, outside of the cluster. */
const claim = object('Place that the operator has written to, or is about to.', {
  type: enumeration('Type of the target.', ['dns', 'haproxy', 'webhook', 'etcd']),
  server: text('DNS server.', 253),
  port: integer('Port of the DNS server.', { optional: true }),
  zone: text('Zone.', 253),
  url: text('URL of the webhook.', 1024),
  caBundle: text('CA certificates of the webhook.', 65_536),
  address: text('Address of HAProxy.', 260),
  backend: text('Backend.', 128),
  endpoints: list('URLs of etcd.', string('URL.', { maxLength: 1024 }), { maxItems: 8, optional: true }),
  key: text('Key in etcd.', 512),
  secret: text('Secret with the credentials.', 253),
  names: set('Names in the zone.', string('Name.', { maxLength: 253 }), { maxItems: 256, optional: true }),
  leaving: set('Those of `names` that no target has any more.', string('Name.', { maxLength: 253 }), {
    maxItems: 256,
    optional: true,
  }),
  leavingSince: time('Time since which no target has the last of `leaving`, or the place. The operator removes them.'),
  draining: list(
    'Servers of HAProxy that get no new sessions any more.',
    object('Server.', {
      name: string('Name of the server.', { maxLength: 64 }),
      since: string('Time since which it gets no new sessions.', { format: 'date-time' }),
    }),
    { maxItems: 2000, optional: true },
  ),
});

/** The observed state of a ServicePublication. */
export const servicePublicationStatus = object('Observed state of the publication. The operator writes it.', {
  summary: text('First addresses, and the number of the rest.', 253),
  host: text('Host name of the load balancer, if it has no addresses.', 253),
  subsets: list(
    'Addresses that are published, by their ports.',
    object('Addresses with the same ports.', {
      addresses: set('IP addresses.', string('IP address.', { maxLength: 45 }), { maxItems: mostAddresses }),
      ports,
    }),
    { maxItems: 32, optional: true },
  ),
  published: text('Targets that have the addresses, out of all.', 16),
  since: time('Time since which all targets have the addresses.'),
  staleSince: time('Time since which the list of addresses has no news. Absent while it is current.'),
  drainSeconds: integer(
    'Seconds for which a terminating Pod must serve on, because clients may still use its address.',
    { minimum: 0, optional: true },
  ),
  targets: list('Observed state of each target.', targetStatus, { maxItems: 32, optional: true }),
  claims: list('Places that the operator has written to. They are recorded before, and until they are clean.', claim, {
    maxItems: 32,
    optional: true,
  }),
});
