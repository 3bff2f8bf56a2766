import { text, time } from '../fields/status-fields.js';
import { boolean, enumeration, integer, keyedList, list, object, string } from '../schema/index.js';

const count = (description: string) => integer(description, { minimum: 0, optional: true });

const used = (description: string) => integer(description, { minimum: 0, maximum: 100, optional: true });

const nodes = keyedList(
  'Observed state of each node.',
  ['name'],
  object('Observed state of one node.', {
    name: string('Name of the Pod and of the PersistentVolumeClaim.', { maxLength: 63 }),
    id: integer('Value of `node.id`.', { minimum: 0 }),
    role: enumeration('Role of the node.', ['Broker', 'Controller']),
    state: string('State of the node in one word, such as `Running` or `Starting`.', { maxLength: 32 }),
    zone: text('Zone of the machine, by `racks.topologyKey`.'),
    node: text('Machine of the node.'),
    directoryId: text('Identifier of the disk of a controller.', 32),
    usedPercent: used('Percentage of the fullest volume that is in use, in steps of 5 up to 95.'),
    volumes: keyedList(
      'Volumes of a broker with several ones, as far as the broker reports them.',
      ['name'],
      object('Volume of a broker.', {
        name: string('Name of the volume. The first one is `data`.', { maxLength: 20 }),
        usedPercent: used('Percentage of it that is in use. Absent if it has failed.'),
      }),
      { maxItems: 16, optional: true },
    ),
  }),
  { maxItems: 128, optional: true },
);

const listeners = keyedList(
  'Addresses of the listeners.',
  ['name'],
  object('Addresses of one listener.', {
    name: string('Name of the listener.', { maxLength: 20 }),
    bootstrapServers: text('Addresses for clients, as in `bootstrap.servers`. Absent while none is assigned.'),
  }),
  { maxItems: 8, optional: true },
);

const uncleanElection = object(
  'Election of leaders without all records, as the annotation `reconstruct.dev/unclean` has it.',
  {
    requested: text('Value of the annotation. Absent when the annotation was removed.', 4096),
    partitions: list(
      'Partitions, as they were before the election.',
      object('Partition without a leader.', {
        topic: string('Name of the topic.', { maxLength: 249 }),
        partition: integer('Number of the partition.', { minimum: 0 }),
        inSync: list('Brokers that have all acknowledged records.', integer('ID of a broker.', { minimum: 0 }), {
          maxItems: 32,
        }),
        leader: integer('Broker that was elected.', { minimum: 0, optional: true }),
      }),
      { maxItems: 64 },
    ),
    electedTime: time('Time at which all partitions had a leader.'),
  },
  { optional: true },
);

const rebalance = object(
  'Movement of replicas that is planned or under way. The operator writes it before it begins.',
  {
    partitions: integer('Number of partitions that get other replicas.', { minimum: 0 }),
    bytes: integer('Bytes that are copied for them, to two digits.', { minimum: 0 }),
    estimatedSeconds: integer('Estimated time of the copies at `rebalance.throttle`, in seconds.', { minimum: 0 }),
  },
  { optional: true },
);

/** The most partitions that `status.restart` names. */
export const mostInterrupted = 5;

const restart = object(
  'Last restart of a broker that a hook delays, or that interrupts partitions. The operator writes it before the restart.',
  {
    node: string('Name of the Pod.', { maxLength: 63 }),
    target: string('Identifier of the desired state of the Pod.', { maxLength: 64 }),
    startedTime: time('Time at which the restart was planned. From then on `preRestart` has its time.'),
    interrupted: list(
      'Some of the partitions that have no leader during the restart, because they have no replica to spare.',
      string('Partition, such as `logs-0`.', { maxLength: 262 }),
      { maxItems: mostInterrupted, optional: true },
    ),
    interruptedPartitions: count('Number of these partitions.'),
    preRestart: enumeration(
      'State of the hook `preRestart`. `Failed` is a Job that failed, while its time is not over. Absent without this hook.',
      ['Running', 'Failed', 'Succeeded', 'Expired'],
      { optional: true },
    ),
    postRestart: enumeration(
      'State of the hook `postRestart`. Absent without this hook.',
      ['Pending', 'Running', 'Failed', 'Succeeded', 'Expired'],
      { optional: true },
    ),
    servedTime: time('Time at which the restarted broker served. From then on `postRestart` has its time.'),
  },
  { optional: true },
);

/** Limits of the consumer groups in the status of a KafkaCluster. */
export const consumerGroupLimits = {
  /** The most pairs of a group and a topic. */
  pairs: 50,
  /** Characters in the name of a group, which Kafka does not limit. */
  name: 1024,
} as const;

const certificateReload = object(
  'Renewed certificates that nodes load without a restart. Absent when all nodes present the certificates in their Secrets.',
  {
    pending: integer('Number of nodes that present an earlier certificate.', { minimum: 1 }),
    node: text('Node that loads its certificates now.', 63),
    since: time('Time since which it loads them.'),
    failures: list(
      'Nodes that do not load their certificates, and are replaced one after another.',
      object('Failure of one node.', {
        node: string('Name of the node.', { maxLength: 63 }),
        message: string('Cause.', { maxLength: 1024 }),
      }),
      { maxItems: 128 },
    ),
  },
  { optional: true },
);

const consumerGroups = keyedList(
  'Consumer groups that are the furthest behind, by topic. Asked once a minute. Absent while the brokers do not answer.',
  ['group', 'topic'],
  object('Consumer group in a topic.', {
    group: string('Name of the consumer group.', { maxLength: consumerGroupLimits.name }),
    topic: string('Name of the topic.', { maxLength: 249 }),
    lag: integer('Number of records after the committed offsets, to two digits.', { minimum: 0 }),
  }),
  { maxItems: consumerGroupLimits.pairs, optional: true },
);

/** The observed state of a KafkaCluster. */
export const kafkaClusterStatus = object('Observed state of the KafkaCluster. The operator writes it.', {
  ready: text('Ready and desired brokers, such as `3/3`.', 16),
  controllers: text('Ready and desired controllers, such as `3/3`.', 16),
  brokers: count('Number of existing brokers in `spec.brokers`.'),
  readyBrokers: count('Number of ready brokers, of all pools.'),
  selector: text('Label selector of the Pods of `spec.brokers`, in text form.', 1024),
  clusterId: text('Identifier of the cluster in Kafka.', 32),
  bootstrapped: boolean(
    'Whether the metadata quorum has been seen. From then on no volume is formatted as a first one.',
    {
      optional: true,
    },
  ),
  bootstrapServers: text('Addresses for clients of the first listener, as in `bootstrap.servers`.'),
  listeners,
  activeController: integer('Node ID of the leader of the metadata quorum.', { minimum: 0, optional: true }),
  version: text('Version of Kafka that every node runs.', 16),
  metadataVersion: integer('Finalized level of `metadata.version`.', { minimum: 0, optional: true }),
  rolledOutTime: time('Time since which every node runs `version`.'),
  finalizationTime: time('Time at which the operator finalizes the version.'),
  underReplicatedPartitions: count('Number of partitions with fewer in-sync replicas than replicas.'),
  uncleanElection,
  rebalance,
  presentedCertificates: text('Hash of the certificates that all nodes were seen to present.', 16),
  certificateReload,
  restart,
  consumerGroups,
  consumerGroupsOmitted: count('Number of pairs of a consumer group and a topic that `consumerGroups` leaves out.'),
  nodes,
});
