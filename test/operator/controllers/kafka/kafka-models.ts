import {
  type ClusterAnswer,
  type ClusterRequest,
  kafkaCluster,
  type MarkedTopic,
} from '../../../../operator/controllers/kafka/ports/cluster.js';
import { kafkaConsumers } from '../../../../operator/controllers/kafka/ports/consumers.js';
import { kafkaTopics, type TopicState } from '../../../../operator/controllers/kafka/ports/topics.js';
import { kafkaUsers, type UserAnswer } from '../../../../operator/kafka/users.js';
import { restartHooks } from '../../../../operator/members/index.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { portModel } from '../../../../operator/testing/index.js';
import { answer } from './given-kafka.js';

/** Topics of a cluster, by name. */
export type Topics = Readonly<Record<string, TopicState>>;

/** Milliseconds: Kafka's metadata reaches all brokers within a second, and calls wait for at least five. */
const showsWithin = 4_000;

/** The topics of a cluster. */
export const topicModel = (topics: Topics = {}) =>
  portModel(kafkaTopics, {
    showsWithin,
    state: topics,
    answer: (all, { topic: name }) => {
      const topic = all[name];
      return topic ? { topic } : {};
    },
    perform: (all, request): Topics => {
      const { topic: name } = request;
      const before = all[name];
      const changed = (changes: Partial<TopicState>) => {
        if (!before) throw new CallError('terminal', 'UNKNOWN_TOPIC_OR_PARTITION');
        return { ...all, [name]: { ...before, ...changes } };
      };
      if (request.act === 'create') {
        if (before) throw new CallError('terminal', 'TOPIC_ALREADY_EXISTS');
        const { partitions, replication, config } = request;
        const topic = { id: `topic ${name}`, partitions, replication, config, underReplicated: 0 };
        return { ...all, [name]: topic };
      }
      if (request.act === 'delete') {
        const { [name]: _, ...others } = all;
        return before?.id === request.id ? others : all;
      }
      if (request.act === 'addPartitions') return changed({ partitions: request.partitions });
      if (request.act === 'replicate') return changed({ replication: request.replication });
      const kept = Object.entries(before?.config ?? {}).filter(([key]) => !request.remove.includes(key));
      return changed({ config: { ...Object.fromEntries(kept), ...request.set } });
    },
  });

type User = Omit<UserAnswer, 'accepts' | 'hasCredential'> & { readonly hash?: string };

/** The users of a cluster. */
export const userModel = () =>
  portModel(kafkaUsers, {
    showsWithin,
    state: {} as Readonly<Record<string, User>>,
    answer: (users, { user, login }) => {
      const found = users[user] ?? { acls: [], quotas: {} };
      const { acls, quotas, hash } = found;
      return { hasCredential: hash !== undefined, acls, quotas, ...(login && { accepts: hash === login.hash }) };
    },
    perform: (users, request) => {
      const before = users[request.user] ?? { acls: [], quotas: {} };
      const changed = (user: User) => {
        const { [request.user]: _, ...others } = users;
        const isEmpty = user.hash === undefined && user.acls.length === 0 && Object.keys(user.quotas).length === 0;
        return isEmpty ? others : { ...users, [request.user]: user };
      };
      const { hash: __, ...withoutHash } = before;
      if (request.act === 'setPassword') return changed({ ...before, hash: request.hash });
      if (request.act === 'deletePassword') return changed(withoutHash);
      if (request.act === 'setQuotas') return changed({ ...before, quotas: request.quotas });
      const isRemoved = (acl: object) => request.remove.some((one) => JSON.stringify(one) === JSON.stringify(acl));
      return changed({ ...before, acls: [...before.acls.filter((acl) => !isRemoved(acl)), ...request.add] });
    },
  });

/**
 * A cluster of brokers, which applies dynamic properties, refuses and allows logins, and marks topics.
 * @param existing names of the topics that exist. By default each marked topic exists
 */
export const clusterModel = (state: ClusterAnswer = answer(), existing?: () => readonly string[]) =>
  portModel(kafkaCluster, {
    showsWithin,
    state,
    answer: (cluster) => cluster,
    perform: (cluster, request: ClusterRequest) => {
      if (request.act === 'markTopics') return { ...cluster, topics: markedBy(request, cluster, existing) };
      if (request.act === 'refuseLogins' || request.act === 'allowLogins') {
        const denied = request.act === 'refuseLogins' ? 'all' : 'none';
        const logins = cluster.logins?.map((one) => (request.users.includes(one.user) ? { ...one, denied } : one));
        return { ...cluster, ...(logins && { logins }) } as ClusterAnswer;
      }
      if (request.act !== 'configure') throw new CallError('terminal', `a model that does not ${request.act}`);
      const kept = Object.entries(cluster.config).filter(([key]) => !request.remove.includes(key));
      return { ...cluster, config: { ...Object.fromEntries(kept), ...request.set } };
    },
  });

/** The marks of topics after a request. */
function markedBy(
  { claimed, released, unclaimed }: Extract<ClusterRequest, { readonly act: 'markTopics' }>,
  { topics }: ClusterAnswer,
  existing?: () => readonly string[],
): readonly MarkedTopic[] {
  if (!topics) throw new CallError('terminal', 'SECURITY_DISABLED');
  const exists = (topic: string) => existing?.().includes(topic) ?? true;
  const changed = [...claimed, ...released, ...unclaimed];
  const left = unclaimed.filter(exists);
  return [
    ...topics.filter(({ topic }) => !changed.includes(topic)),
    ...claimed.map((topic) => ({ topic, exists: exists(topic), isUnclaimed: false })),
    ...left.map((topic) => ({ topic, exists: true, isUnclaimed: true })),
  ].toSorted((a, b) => (a.topic < b.topic ? -1 : 1));
}

/** A server of hooks that confirms each at once. */
export const hooksModel = () =>
  portModel(restartHooks, {
    state: [] as readonly string[],
    answer: (confirmed, { id }) => ({ state: confirmed.includes(id) ? ('confirmed' as const) : ('unknown' as const) }),
    perform: (confirmed, { id }) => [...confirmed, id],
  });

/** A cluster with a consumer group that is behind. */
export const consumersModel = () =>
  portModel(kafkaConsumers, {
    state: { lags: [{ group: 'shop', topic: 'orders', lag: 1_234 }], omitted: 0 },
    answer: (state) => state,
    perform: (state) => state,
  });
