import { noSize, storageClassName } from '../database/storage.js';
import { requestsAndLimits, resourceRules } from '../fields/resources.js';
import { notSet, podTemplate } from '../pod-template/pod-template.js';
import { boolean, immutable, integer, keyedList, object, quantity, type Rule, string } from '../schema/index.js';
import { defaultKafkaBrokerResources, defaultKafkaControllerResources } from './default-resources.js';

const ownUser = 'because the files of the image and of the volumes belong to user and group 1000; remove it';

/** `podTemplate` of a group of nodes. */
const nodeTemplate = podTemplate({
  description: 'Settings of the Pods.',
  container: 'Kafka',
  reserved: {
    labels: ['reconstruct.dev/kafka-role', 'reconstruct.dev/kafka-node'],
    envPrefixes: ['KAFKA_'],
    volumes: ['data', 'properties', 'run', 'tls', 'tmp'],
    volumePrefixes: ['kafka-data-'],
    mountPaths: ['/etc/reconstruct', '/run/kafka', '/tmp', '/var/lib/kafka', '/var/lib/kafka-volumes'],
  },
  spread: '`topologySpreadConstraints` are added to those of `racks`.',
  rules: [
    notSet('.serviceAccountName', 'because nodes need no rights; annotate the ServiceAccount of the cluster instead'),
    notSet('.securityContext.runAsUser', ownUser),
    notSet('.securityContext.runAsGroup', ownUser),
    notSet('.securityContext.fsGroup', ownUser),
  ],
});

/** `spec.controllers`. */
export const controllers = object(
  'Controllers: the nodes of the metadata quorum.',
  {
    combined: boolean(
      'Whether the brokers in `brokers` are the controllers, for small clusters. The other fields then have no effect. A failed controller stops producers for longer. Immutable. Defaults to false.',
      { default: false },
    ),
    replicas: integer(
      'Number of controllers, which must be odd. One controller does not survive a failure. Defaults to 3.',
      {
        maximum: 7,
        default: 3,
        rules: [
          {
            rule: 'self >= 1 && self % 2 == 1',
            message: 'must be an odd number, so that a majority is clear; use 1, 3 or 5',
            holds: (replicas: number) => replicas >= 1 && replicas % 2 === 1,
          },
        ],
      },
    ),
    storage: object(
      'Volume of each controller.',
      {
        size: quantity(
          'Size of the volume, and at least 256Mi. You can increase it while the node runs. Defaults to 1Gi.',
          {
            message: noSize,
            rules: [atLeast('256Mi')],
            default: '1Gi',
          },
        ),
        storageClassName: volumeClass(),
      },
      { default: {}, rules: [immutable('storageClassName')] },
    ),
    resources: object('Resources of Kafka.', requestsAndLimits(defaultKafkaControllerResources), {
      default: {},
      rules: resourceRules,
    }),
    podTemplate: nodeTemplate,
  },
  { default: {}, rules: [immutable('combined')] },
);

function atLeast(least: string): Rule {
  return {
    rule: `!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity('${least}')) >= 0`,
    message: `must be at least ${least}, the minimum for Kafka`,
  };
}

function volumeClass() {
  return storageClassName('StorageClass of the volumes. Immutable. Defaults to the StorageClass of the cluster.');
}

function brokerSize() {
  return quantity(
    'Size of the volume, such as `10Gi`, and at least 256Mi. You can increase it while the broker runs.',
    { message: noSize, rules: [atLeast('256Mi')] },
  );
}

const KEPT: Rule = {
  rule: 'oldSelf.all(before, self.exists(one, one.name == before.name))',
  message:
    'must keep every volume, because Kafka cannot move replicas from one volume of a broker to another one by itself; keep the volume, or add a pool without it, and remove these brokers',
};

const additionalVolumes = keyedList(
  'More volumes of each broker. You can add volumes, which restarts the brokers one after another, but not remove one. Defaults to none.',
  ['name'],
  object(
    'Volume with a log directory.',
    {
      name: string('Name of the volume in lower-case letters and digits, which is part of the names of its claims.', {
        minLength: 1,
        maxLength: 20,
        pattern: '^[a-z][a-z0-9]*$',
        rules: [
          {
            rule: "self != 'data'",
            message: 'must not be data, which names the first volume; choose another name, such as disk2',
            holds: (name: string) => name !== 'data',
          },
        ],
      }),
      size: brokerSize(),
      storageClassName: volumeClass(),
    },
    { rules: [immutable('storageClassName')] },
  ),
  { maxItems: 15, default: [], rules: [KEPT] },
);

/** `storage` of brokers. */
const brokerStorage = object(
  'Volumes of each broker. The first one has the metadata of the cluster too.',
  { size: brokerSize(), storageClassName: volumeClass(), additionalVolumes },
  { rules: [immutable('storageClassName')] },
);

const brokerResources = object('Resources of Kafka.', requestsAndLimits(defaultKafkaBrokerResources), {
  default: {},
  rules: resourceRules,
});

/** `spec.brokers`. */
export const brokers = object('Brokers.', {
  replicas: integer('Number of brokers. Defaults to 3.', {
    maximum: 99,
    default: 3,
    rules: [
      {
        rule: 'self >= 1',
        message: 'must be at least 1, so that a broker keeps the data; use 1 or more, or delete the KafkaCluster',
        holds: (replicas: number) => replicas >= 1,
      },
    ],
  }),
  storage: brokerStorage,
  resources: brokerResources,
  podTemplate: nodeTemplate,
});

/** `spec.pools`. */
export const pools = keyedList(
  'More brokers, of another size. Before a pool is removed, its replicas move to other brokers. Defaults to none.',
  ['name'],
  object('Pool of brokers.', {
    name: string('Name of the pool in lower-case letters and digits, which is part of the names of its Pods.', {
      minLength: 1,
      maxLength: 20,
      // Without `-`: Pods of `a` with the pool `b-c` would have the names of those of `a-b` with the pool `c`.
      pattern: '^[a-z][a-z0-9]*$',
      rules: [
        {
          rule: "!(self in ['broker', 'controller'])",
          message:
            'must not be broker or controller, which name the Pods of brokers and controllers; choose another name',
          holds: (name: string) => !['broker', 'controller'].includes(name),
        },
      ],
    }),
    replicas: integer('Number of brokers in the pool.', { minimum: 0, maximum: 99 }),
    storage: brokerStorage,
    resources: brokerResources,
    podTemplate: nodeTemplate,
  }),
  { maxItems: 8, default: [] },
);
