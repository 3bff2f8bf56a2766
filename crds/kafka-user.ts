import { optionalObjectName } from './fields/names.js';
import { text } from './fields/status-fields.js';
import { clusterRef } from './kafka-topic.js';
import {
  defineKind,
  enumeration,
  immutable,
  integer,
  list,
  object,
  quantity,
  type Rule,
  set,
  string,
} from './schema/index.js';

const operations = [
  'All',
  'Alter',
  'AlterConfigs',
  'ClusterAction',
  'Create',
  'Delete',
  'Describe',
  'DescribeConfigs',
  'IdempotentWrite',
  'Read',
  'Write',
] as const;

/** The operations that Kafka checks for a resource. @see https://kafka.apache.org/documentation/#operations_resources_and_protocols */
const OPERATIONS_OF = {
  Topic: ['Alter', 'AlterConfigs', 'Create', 'Delete', 'Describe', 'DescribeConfigs', 'Read', 'Write'],
  Group: ['AlterConfigs', 'Delete', 'Describe', 'DescribeConfigs', 'Read'],
  TransactionalId: ['Describe', 'Write'],
  Cluster: ['Alter', 'AlterConfigs', 'ClusterAction', 'Create', 'Describe', 'DescribeConfigs', 'IdempotentWrite'],
} as const;

interface Resource {
  readonly type: string;
  readonly name?: string;
}

const NAMED: Rule = {
  rule: "self.type == 'Cluster' ? !has(self.name) : has(self.name)",
  message: 'must be set for a Topic, Group or TransactionalId, and must not be set for the Cluster; correct the name',
  fieldPath: '.name',
  holds: ({ type, name }: Resource) => (type === 'Cluster') === (name === undefined),
};

interface Acl {
  readonly resource: Resource;
  readonly operations: readonly string[];
}

const operationsFit = ([type, own]: readonly [type: string, own: readonly string[]]): Rule => ({
  rule: `self.resource.type != '${type}' || self.operations.all(one, one in ['All', '${own.join("', '")}'])`,
  message: `must be operations of a ${type}, because Kafka never checks others there; use All, ${own.slice(0, -1).join(', ')} or ${own.at(-1)}`,
  fieldPath: '.operations',
  holds: ({ resource, operations: all }: Acl) =>
    resource.type !== type || all.every((one) => one === 'All' || own.includes(one)),
});

const aclFields = {
  resource: object(
    'Resource of Kafka.',
    {
      type: enumeration('Type of the resource.', ['Topic', 'Group', 'TransactionalId', 'Cluster']),
      name: string('Name of the resource, or its prefix. `*` means all resources of the type.', {
        minLength: 1,
        maxLength: 249,
        optional: true,
      }),
      patternType: enumeration(
        'Whether `name` is the whole name (`Literal`) or the beginning of it (`Prefixed`). Defaults to Literal.',
        ['Literal', 'Prefixed'],
        { default: 'Literal' },
      ),
    },
    { rules: [NAMED] },
  ),
  operations: set('Operations.', enumeration('Operation.', operations), { minItems: 1, maxItems: 11 }),
  type: enumeration('Whether the operations are allowed or denied. Defaults to Allow.', ['Allow', 'Deny'], {
    default: 'Allow',
  }),
};

const acl = object('Rule about one resource.', aclFields, { rules: Object.entries(OPERATIONS_OF).map(operationsFit) });

const rate = (of: string) =>
  quantity(`Bytes per second that the user can ${of} at each broker. Defaults to no limit.`, {
    message: 'must be a number of bytes per second, such as 10Mi',
    optional: true,
  });

/** The desired state of a KafkaUser. */
export const kafkaUserSpec = object('Desired state of the KafkaUser.', {
  cluster: clusterRef,
  authentication: enumeration(
    'Login of the user. `Scram` uses a password, and `MutualTls` a certificate of the KafkaCluster. Immutable. Defaults to Scram.',
    ['Scram', 'MutualTls'],
    { default: 'Scram', rules: [immutable()] },
  ),
  secretName: optionalObjectName(
    'Name of the Secret with everything that a client needs, in the same namespace. With MutualTls, the ConfigMap `NAME-client` has the settings. Defaults to the name of the KafkaUser.',
  ),
  acls: list('Rights of the user. The operator removes other ACLs of the user. Defaults to none.', acl, {
    maxItems: 64,
    default: [],
  }),
  quotas: object(
    'Limits of the user.',
    {
      producerByteRate: rate('produce'),
      consumerByteRate: rate('consume'),
      requestPercentage: integer(
        'Share of the time of one request thread that the user can take, in percent. Defaults to no limit.',
        { minimum: 1, maximum: 10_000, optional: true },
      ),
    },
    { default: {} },
  ),
});

/** The observed state of a KafkaUser. It has no secret. */
export const kafkaUserStatus = object('Observed state of the KafkaUser. The operator writes it.', {
  username: text('Principal of the user, without `User:`.'),
  secretName: text('Name of the Secret.'),
});

/** The kind KafkaUser: a user of a KafkaCluster. */
export const kafkaUser = defineKind({
  group: 'reconstruct.dev',
  kind: 'KafkaUser',
  shortNames: ['kuser'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'User of a KafkaCluster, with its rights and limits.',
      spec: kafkaUserSpec,
      status: kafkaUserStatus,
      rules: [
        {
          rule: 'self.metadata.name.size() <= 63',
          message: 'must have a name of at most 63 characters, which certificates can have; use a shorter name',
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Cluster', type: 'string', jsonPath: '.spec.cluster.name' },
        { name: 'Authentication', type: 'string', jsonPath: '.spec.authentication' },
        { name: 'Secret', type: 'string', jsonPath: '.status.secretName' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
