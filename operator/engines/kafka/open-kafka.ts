import { kafkaCluster } from '../../controllers/kafka/ports/cluster.js';
import { kafkaConsumers } from '../../controllers/kafka/ports/consumers.js';
import { kafkaTopics } from '../../controllers/kafka/ports/topics.js';
import { kafkaUsers } from '../../kafka/users.js';
import { type Clock, systemClock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { changeCluster } from './clusters/cluster-changes.js';
import { clusterAnswer } from './clusters/cluster-source.js';
import { Connections } from './connection/connections.js';
import { consumerLags } from './consumers/consumers-source.js';
import { topicChanges } from './topics/topic-changes.js';
import { topicsSource } from './topics/topics-source.js';
import { changeUser } from './users/user-changes.js';
import { usersSource } from './users/users-source.js';

/** What the Kafka engine needs. */
export interface OpenKafkaOptions {
  /** Where the Secrets of the operator are. */
  readonly cluster: Pick<Cluster, 'read'>;
  /** @default - the clock of the system */
  readonly clock?: Clock;
}

/** The ports of the Kafka engine, and a function that closes its connections. */
export interface OpenKafka {
  readonly provided: readonly Provided[];
  readonly close: () => Promise<void>;
}

/** Topics come in thousands, and their changes share requests. */
const topics = { concurrency: 1_000, callsPerSecond: 2_000 };
/** Users come in hundreds. */
const users = { concurrency: 64, callsPerSecond: 200 };

/** Opens the ports of Kafka. Connections are persistent, and none is opened before the first question. */
export function openKafka({ cluster, clock = systemClock }: OpenKafkaOptions): OpenKafka {
  const connections = new Connections({ cluster, clock });
  return {
    provided: [
      provided(kafkaCluster, (question, options) => clusterAnswer(connections, question, options), {
        perform: (request, options) => changeCluster(connections, request, { ...options, clock }),
      }),
      provided(kafkaConsumers, (question, options) => consumerLags(connections, question, options)),
      provided(kafkaTopics, topicsSource(connections, clock), {
        ...topics,
        perform: topicChanges(connections, clock),
      }),
      provided(kafkaUsers, usersSource(connections, clock), {
        ...users,
        perform: (request, options) => changeUser(connections, request, options),
      }),
    ],
    close: () => connections.close(),
  };
}
