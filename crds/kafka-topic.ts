import { objectName } from './fields/names.js';
import { text } from './fields/status-fields.js';
import { topicConfig } from './kafka/configuration.js';
import { defineKind, enumeration, immutable, integer, object, type Rule, string } from './schema/index.js';

/** The limit of Kafka, in characters. */
const longestTopic = 249;
const TOPIC = '^[a-zA-Z0-9._-]+$';

/** `spec.cluster` of a KafkaTopic and a KafkaUser. */
export const clusterRef = object('KafkaCluster, in the same namespace.', {
  name: objectName('Name of the KafkaCluster.', [immutable()]),
});

const replication = integer('Number of replicas of each partition. Defaults to 3.', {
  minimum: 1,
  maximum: 9,
  default: 3,
});

interface Replicated {
  readonly replication?: number;
  readonly config?: Readonly<Record<string, string>>;
}

const MIN_ISR_FITS: Rule = {
  rule: "!('min.insync.replicas' in self.config) || !self.config['min.insync.replicas'].matches('^[0-9]{1,4}$') || int(self.config['min.insync.replicas']) <= self.replication",
  message:
    'must be at most replication, or producers with acks=all are refused; lower min.insync.replicas or raise replication',
  fieldPath: '.config',
  holds: ({ replication: replicas = 3, config = {} }: Replicated) =>
    Number(config['min.insync.replicas'] ?? '1') <= replicas,
};

/** The desired state of a KafkaTopic. */
export const kafkaTopicSpec = object(
  'Desired state of the KafkaTopic.',
  {
    cluster: clusterRef,
    topicName: string('Name of the topic in Kafka. Immutable. Defaults to the name of the KafkaTopic.', {
      minLength: 1,
      maxLength: longestTopic,
      pattern: TOPIC,
      optional: true,
      rules: [
        {
          rule: "!(self in ['.', '..']) && !self.startsWith('__')",
          message: 'must not be . or .., or start with __, which Kafka uses itself; choose another name',
          holds: (name: string) => name !== '.' && name !== '..' && !name.startsWith('__'),
        },
      ],
    }),
    partitions: integer(
      'Number of partitions. You can increase it, and then keys move to other partitions. Defaults to 3.',
      {
        minimum: 1,
        maximum: 10_000,
        default: 3,
        rules: [
          {
            rule: 'self >= oldSelf',
            message: 'must not decrease, because Kafka cannot remove partitions; create another topic with fewer',
          },
        ],
      },
    ),
    replication,
    config: topicConfig,
    onLoss: enumeration(
      'Behavior if the topic was deleted in Kafka. `Report` only reports it, and `Recreate` creates an empty topic. Defaults to Report.',
      ['Report', 'Recreate'],
      { default: 'Report' },
    ),
    deletionPolicy: enumeration(
      'Topic on deletion of the KafkaTopic. `Retain` keeps it, and `Delete` deletes it with all records. Defaults to Retain.',
      ['Retain', 'Delete'],
      { default: 'Retain' },
    ),
  },
  { rules: [immutable('topicName'), MIN_ISR_FITS] },
);

/** The observed state of a KafkaTopic. */
export const kafkaTopicStatus = object('Observed state of the KafkaTopic. The operator writes it.', {
  topicName: text('Name of the topic in Kafka.', longestTopic),
  topicId: text(
    'Identifier of the topic in Kafka. A topic of the same name that was created later has another one.',
    32,
  ),
  partitions: integer('Number of partitions.', { minimum: 0, optional: true }),
  replication: integer('Number of replicas of each partition.', { minimum: 0, optional: true }),
  underReplicatedPartitions: integer('Number of partitions with fewer in-sync replicas than replicas.', {
    minimum: 0,
    optional: true,
  }),
});

/** The kind KafkaTopic: a topic of a KafkaCluster. */
export const kafkaTopic = defineKind({
  group: 'reconstruct.dev',
  kind: 'KafkaTopic',
  shortNames: ['ktopic'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Topic of a KafkaCluster.',
      spec: kafkaTopicSpec,
      status: kafkaTopicStatus,
      rules: [
        {
          rule: `has(self.spec.topicName) || self.metadata.name.size() <= ${longestTopic}`,
          message: `must have a name of at most ${longestTopic} characters, the limit of Kafka; use a shorter name, or set spec.topicName`,
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Cluster', type: 'string', jsonPath: '.spec.cluster.name' },
        { name: 'Partitions', type: 'integer', jsonPath: '.status.partitions' },
        { name: 'Replication', type: 'integer', jsonPath: '.status.replication' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
