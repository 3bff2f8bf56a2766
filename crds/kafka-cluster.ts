import { imageText } from './fields/names.js';
import { brokerConfig } from './kafka/configuration.js';
import { hooks } from './kafka/hooks.js';
import { listeners } from './kafka/listeners.js';
import { brokers, controllers, pools } from './kafka/nodes.js';
import { kafkaClusterStatus } from './kafka/status.js';
import { defineKind, duration, enumeration, list, object, quantity, type Rule, set, string } from './schema/index.js';

/** The longest name: the Pods of a pool with a name of 20 characters still have one. */
const longestName = 32;
const NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const finalize = object(
  'Finalization of a new version. Until then you can return to the earlier version.',
  {
    policy: enumeration(
      'Decision to finalize. `Automatic` finalizes after the time in `after`. `Manual` waits until the annotation `reconstruct.dev/finalize` has the version. Defaults to Automatic.',
      ['Automatic', 'Manual'],
      { default: 'Automatic' },
    ),
    after: duration('Time for which every node must run the version. Defaults to 24h.', {
      minimum: '1s',
      maximum: '90d',
      default: '24h',
    }),
  },
  { default: {} },
);

const jvm = object(
  'Java virtual machine of the nodes.',
  {
    heap: quantity('Size of the heap of a broker. Defaults to half of the memory limit.', {
      message: 'must be an amount of memory, such as 512Mi or 1Gi',
      optional: true,
    }),
    options: list(
      'Options of the virtual machine, such as `-XX:+UseZGC`.',
      string('Option.', {
        minLength: 2,
        maxLength: 256,
        pattern: '^-[-+A-Za-z0-9_.:=/,%]+$',
        rules: [
          {
            rule: "!self.matches('^-(Xm[sx]|XX:(Initial|Max)HeapSize)')",
            message: 'must not set the size of the heap; set jvm.heap instead',
            holds: (option: string) => !/^-(Xm[sx]|XX:(Initial|Max)HeapSize)/.test(option),
          },
        ],
      }),
      { maxItems: 32, default: [] },
    ),
  },
  { default: {} },
);

const rebalance = object(
  'Movement of replicas between brokers.',
  {
    triggers: set(
      'Events after which replicas move. `Scale` gives new brokers their share. Replicas of a removed broker always move. Defaults to Scale.',
      enumeration('Event.', ['Scale']),
      { maxItems: 1, default: ['Scale'] },
    ),
    throttle: quantity('Bytes per second that each broker uses for this. Defaults to 50Mi.', {
      message: 'must be a number of bytes per second, such as 50Mi',
      default: '50Mi',
    }),
  },
  { default: {} },
);

/** The labels that the admission plug-in PodTopologyLabels copies, from which brokers know their rack. */
const topologyKeys = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

const racks = object(
  'Distribution of the nodes.',
  {
    topologyKey: string('Node label by which nodes and replicas are spread. Defaults to topology.kubernetes.io/zone.', {
      minLength: 1,
      maxLength: 317,
      rules: [
        {
          rule: `self in ['${topologyKeys.join("', '")}']`,
          message: `must be ${topologyKeys.join(' or ')}, because Kubernetes copies no other label of a machine to its Pods; use one of them`,
          holds: (key: string) => topologyKeys.includes(key),
        },
      ],
      default: 'topology.kubernetes.io/zone',
    }),
  },
  { default: {} },
);

interface Replicated {
  readonly config?: Readonly<Record<string, string>>;
}

const NUMBER = '^[0-9]{1,4}$';

/** CEL: a property, or a fallback without it. Brokers refuse a text that is no number. */
const celNumber = (key: string, fallback: number) =>
  `('${key}' in self.config && self.config['${key}'].matches('${NUMBER}') ? int(self.config['${key}']) : ${fallback})`;

const numberIn = ({ config = {} }: Replicated, key: string, fallback: number) =>
  new RegExp(NUMBER).test(config[key] ?? '') ? Number(config[key]) : fallback;

const MIN_ISR_FITS: Rule = {
  rule: `${celNumber('min.insync.replicas', 1)} <= ${celNumber('default.replication.factor', 3)}`,
  message:
    'must have at most default.replication.factor, which is 3 by default, as min.insync.replicas, or producers with acks=all are refused; lower min.insync.replicas',
  fieldPath: '.config',
  holds: (spec: Replicated) =>
    numberIn(spec, 'min.insync.replicas', 1) <= numberIn(spec, 'default.replication.factor', 3),
};

interface Combinable {
  readonly controllers?: { readonly combined?: boolean };
  readonly brokers?: { readonly replicas?: number };
}

const ODD_VOTERS: Rule = {
  rule: '!self.controllers.combined || (self.brokers.replicas % 2 == 1 && self.brokers.replicas < 8)',
  message:
    'must be 1, 3, 5 or 7 with controllers.combined, because each of these brokers has a vote; add a pool for more brokers',
  fieldPath: '.brokers.replicas',
  holds: ({ controllers: { combined = false } = {}, brokers: { replicas = 3 } = {} }: Combinable) =>
    !combined || (replicas % 2 === 1 && replicas < 8),
};

interface Authorized {
  readonly authorization?: string;
  readonly listeners?: readonly { readonly authentication?: string }[];
}

const ACL_NEEDS_LOGIN: Rule = {
  rule: "self.authorization != 'Acl' || self.listeners.all(one, one.authentication != 'None')",
  message:
    'must not have authentication None with authorization Acl, because no ACL names a client without a login; set authentication to Scram or MutualTls, or authorization to None',
  fieldPath: '.listeners',
  holds: ({ authorization = 'Acl', listeners: all = [] }: Authorized) =>
    authorization !== 'Acl' || all.every(({ authentication }) => authentication !== 'None'),
};

/** The desired state of a KafkaCluster. */
export const kafkaClusterSpec = object(
  'Desired state of the KafkaCluster.',
  {
    version: enumeration(
      'Version of Kafka. You can go back to the earlier version until the operator has finalized the new one. Defaults to 4.4.',
      ['4.3', '4.4'],
      { default: '4.4' },
    ),
    image: string('Container image of the nodes. Defaults to the image that the operator has for `version`.', {
      ...imageText,
      optional: true,
    }),
    finalize,
    replaceAfter: duration(
      'Time after which a broker whose machine was deleted is replaced by a new one with an empty volume. Defaults to 30m.',
      { minimum: '1s', maximum: '90d', default: '30m' },
    ),
    controllers,
    brokers,
    pools,
    racks,
    config: brokerConfig,
    jvm,
    listeners,
    authorization: enumeration(
      'Rights of clients. With `Acl`, users can do only what the ACLs of their KafkaUser allow. Defaults to Acl.',
      ['Acl', 'None'],
      { default: 'Acl' },
    ),
    rebalance,
    hooks,
    deletionPolicy: enumeration(
      'Volumes of removed nodes, and of all nodes when the KafkaCluster is deleted. `Retain` keeps the volumes, and `Delete` deletes them. Defaults to Retain.',
      ['Retain', 'Delete'],
      { default: 'Retain' },
    ),
  },
  { rules: [MIN_ISR_FITS, ODD_VOTERS, ACL_NEEDS_LOGIN] },
);

/** The kind KafkaCluster: Apache Kafka. */
export const kafkaCluster = defineKind({
  group: 'reconstruct.dev',
  kind: 'KafkaCluster',
  shortNames: ['kcl'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Apache Kafka.',
      spec: kafkaClusterSpec,
      status: kafkaClusterStatus,
      scale: {
        specReplicasPath: '.spec.brokers.replicas',
        statusReplicasPath: '.status.brokers',
        labelSelectorPath: '.status.selector',
      },
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${NAME}')`,
          message: `must have a name that its Pods can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
      ],
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        {
          name: 'Brokers',
          type: 'string',
          jsonPath: '.status.ready',
          description: 'Ready brokers out of the desired ones.',
        },
        {
          name: 'Controllers',
          type: 'string',
          jsonPath: '.status.controllers',
          description: 'Ready controllers out of the desired ones.',
        },
        { name: 'Version', type: 'string', jsonPath: '.status.version', description: 'Version of Kafka.' },
        {
          name: 'Under-Replicated',
          type: 'integer',
          jsonPath: '.status.underReplicatedPartitions',
          description: 'Partitions with fewer in-sync replicas than replicas.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
