import { text } from '../fields/status-fields.js';
import { boolean, integer, keyedList, object, string } from '../schema/index.js';

const members = keyedList(
  'Observed state of each member.',
  ['name'],
  object('Observed state of one member.', {
    name: string('Name of the Pod, of the PersistentVolumeClaim and of the member in etcd.', { maxLength: 63 }),
    id: text('Identifier of the member in etcd, in hexadecimal. Absent until etcd has the member.', 16),
    zone: text('Zone of the machine, by `placement.topologyKey`.'),
    node: text('Machine of the member.'),
    state: string('State of the member in one word, such as `Running`, `Learning` or `Starting`.', { maxLength: 32 }),
    isLeader: boolean('Whether the member is the leader.', { optional: true }),
  }),
  { maxItems: 16, optional: true },
);

/** The observed state of an EtcdCluster. */
export const etcdClusterStatus = object('Observed state of the EtcdCluster. The operator writes it.', {
  ready: text('Ready and desired members, such as `3/3`.', 16),
  replicas: integer('Number of members of the cluster in etcd, which includes those that are down.', {
    minimum: 0,
    optional: true,
  }),
  selector: text('Label selector of the Pods, in text form.', 1024),
  clusterId: text('Identifier of the cluster in etcd, in hexadecimal.', 16),
  endpoints: text('URL for clients. The Secret `NAME-client-tls` has the certificate that etcd requires of them.'),
  members,
});
