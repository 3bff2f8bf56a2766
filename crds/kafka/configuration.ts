import { ONE_LINE_VALUES } from '../fields/one-line-values.js';
import { map, type Rule, string } from '../schema/index.js';

const NAME = '^[a-z][a-z0-9]*([._-][a-z0-9]+)*$';

const hasName = (key: string) => new RegExp(NAME).test(key);

/** A map of Kafka properties. @param rules further rules, about keys that must not be set */
export function properties(description: string, rules: readonly Rule[] = []) {
  return map(
    description,
    string('Value of the property, as in a properties file. Numbers and booleans need quotes.', { maxLength: 1024 }),
    {
      maxProperties: 64,
      default: {},
      rules: [
        {
          rule: `self.all(key, key.matches('${NAME}'))`,
          message: 'must have names of Kafka properties as keys, such as min.insync.replicas',
          messageExpression: `'key ' + self.filter(key, !key.matches('${NAME}'))[0] + ' must be the name of a Kafka property, such as min.insync.replicas'`,
          holds: (all: Readonly<Record<string, string>>) => Object.keys(all).every(hasName),
        },
        ONE_LINE_VALUES,
        ...rules,
      ],
    },
  );
}

interface Owned {
  readonly why: string;
  readonly names?: readonly string[];
  readonly prefixes?: readonly string[];
}

/** Properties of brokers that users must not set, by reason. */
const OWNED: readonly Owned[] = [
  {
    why: 'must not be set, because the operator gives each node its identity and its peers; remove it',
    names: ['broker.id', 'broker.rack', 'cluster.id', 'node.id', 'process.roles'],
    prefixes: ['controller.listener.', 'controller.quorum.', 'metadata.log.', 'inter.broker.listener', 'early.start.'],
  },
  {
    why: 'must not be set, because the operator opens the listeners; set listeners instead',
    names: ['listeners', 'advertised.listeners', 'security.inter.broker.protocol', 'principal.builder.class'],
    prefixes: ['listener.', 'ssl.', 'sasl.'],
  },
  {
    why: 'must not be set, because the operator mounts the volumes; set brokers.storage instead',
    names: ['cordoned.log.dirs', 'log.dir', 'log.dirs'],
  },
  {
    why: 'must not be set, because the operator needs its rights; set authorization instead',
    names: ['super.users', 'authorizer.class.name', 'allow.everyone.if.no.acl.found'],
  },
  {
    why: 'must not be set, because an elected replica without all records loses acknowledged ones; remove it',
    names: ['unclean.leader.election.enable', 'unclean.recovery.strategy'],
  },
  {
    why: 'must not be set, because rebalance.throttle sets it while replicas move; remove it',
    names: ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'],
  },
];

const refused = ({ why, names = [], prefixes = [] }: Owned): Rule => {
  const isOne = [
    ...(names.length > 0 ? [`key in ['${names.join("', '")}']`] : []),
    ...prefixes.map((prefix) => `key.startsWith('${prefix}')`),
  ].join(' || ');
  return {
    rule: `!self.exists(key, ${isOne})`,
    message: `has a property that ${why}`,
    messageExpression: `'property ' + self.filter(key, ${isOne})[0] + ' ${why}'`,
    reason: 'FieldValueForbidden',
    holds: (all: Readonly<Record<string, string>>) =>
      !Object.keys(all).some((key) => names.includes(key) || prefixes.some((prefix) => key.startsWith(prefix))),
  };
};

/** `spec.config` of a KafkaCluster. */
export const brokerConfig = properties(
  'Properties of the brokers and controllers, such as `min.insync.replicas: "2"`. Dynamic properties apply at once. For others, the operator replaces the nodes one after another. Defaults to the properties of the operator.',
  OWNED.map(refused),
);

/** `spec.config` of a KafkaTopic. */
export const topicConfig = properties(
  'Properties of the topic, such as `retention.ms: "604800000"`. The operator removes others that are set for the topic. Defaults to none.',
  [
    refused({
      why: 'must not be set, because an elected replica without all records loses acknowledged ones; remove it',
      names: ['unclean.leader.election.enable'],
    }),
    refused({
      why: 'must not be set, because the operator sets it while replicas move; remove it',
      names: ['leader.replication.throttled.replicas', 'follower.replication.throttled.replicas'],
    }),
  ],
);
