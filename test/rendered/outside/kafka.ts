import { Pod } from '../../../operator/index.js';
import { kafkaClusterId } from '../../../src/index.js';
import type { Asked, Surroundings, Systems } from '../ports/system.js';

const lowestController = 1_000;
const load = {
  ...{ replicas: 10, leaders: 3, preferred: 3, sole: 0, unreplicated: 0, unavoidable: 0 },
  ...{ blocking: 0, blockingNames: [], unknownMinIsr: 0, unknownMinIsrTopics: [] },
};
const empty = { ...load, replicas: 0, leaders: 0, preferred: 0 };
const none = { partitions: 0, bytes: 0, busiest: 0 };
const some = { partitions: 10, bytes: 10_000, busiest: 10_000 };
const partitions = {
  ...{ total: 10, underReplicated: 0, underMinIsr: 0, offline: 0, reassigning: 0 },
  ...{ highestReplication: 3, highestTopic: 'orders' },
};

/** Clusters of Kafka whose nodes are the Pods in the cluster, and which do at once what they are asked. */
export function outside(): Systems {
  const configs: Record<string, Record<string, string>> = {};
  const levels: Record<string, number> = {};
  /** Brokers whose replicas were moved away. */
  const left: Record<string, readonly number[]> = {};
  return {
    'reconstruct/kafka-cluster': {
      answer: (question, surroundings) => {
        const { cluster } = question;
        return clusterAnswer(question, surroundings, {
          ...{ config: configs[cluster] ?? {}, level: levels[cluster] ?? 33, left: left[cluster] ?? [] },
        });
      },
      perform: ({ act, cluster, level, set, remove, from }) => {
        if (act === 'reassign') left[cluster] = from;
        if (act === 'finalize') levels[cluster] = level;
        if (act !== 'configure') return;
        configs[cluster] = { ...configs[cluster], ...set };
        for (const key of remove) delete configs[cluster]?.[key];
      },
    },
    'reconstruct/kafka-consumers': {
      answer: () => ({ lags: [{ group: 'shop', topic: 'orders', lag: 1_234 }], omitted: 0 }),
    },
    'reconstruct/hooks': hooks(),
    'reconstruct/kafka-topics': topics(),
    'reconstruct/kafka-users': users(),
  };
}

function clusterAnswer(
  { cluster, plan }: Asked,
  { now, objects }: Surroundings,
  { config, level, left }: { readonly config: object; readonly level: number; readonly left: readonly number[] },
) {
  const isOwn = (pod: Asked) => pod['metadata'].ownerReferences?.some(({ uid }: { uid: string }) => uid === cluster);
  const nodes = objects(Pod)
    .filter(isOwn)
    .flatMap(({ metadata, status }) => {
      const [, id] = /-(\d+)$/.exec(metadata.name) ?? [];
      return id === undefined ? [] : [{ id: Number(id), isFenced: status?.phase !== 'Running' }];
    });
  const brokers = nodes.filter(({ id }) => id < lowestController);
  const dedicated = nodes.filter(({ id }) => id >= lowestController);
  const controllers = dedicated.length > 0 ? dedicated : brokers.slice(0, 3);
  if (controllers.length === 0) throw new Error('no broker answers');
  const voters = controllers.map(({ id }) => ({ id, directoryId: `disk-${id}`, logEndOffset: 5_000, caughtUpAt: now }));
  return {
    clusterId: kafkaClusterId(cluster),
    brokers,
    quorum: { leader: voters[0]?.id, voters, observers: [] },
    metadataVersion: { finalized: level, minimum: 7, maximum: 33 },
    load: Object.fromEntries(brokers.map(({ id }) => [id, left.includes(id) ? empty : load])),
    ...{ partitions, config },
    ...(plan && { moves: plan.from.every((id: number) => left.includes(id)) ? none : some }),
  };
}

/** A server that confirms each hook. */
function hooks() {
  const confirmed = new Set<string>();
  return {
    answer: ({ id }: Asked) => ({ state: confirmed.has(id) ? 'confirmed' : 'unknown' }),
    perform: ({ id }: Asked) => {
      confirmed.add(id);
    },
  };
}

function topics() {
  const all = new Map<string, Asked>();
  return {
    answer: (question: Asked) => {
      const topic = all.get(`${question['cluster']} ${question['topic']}`);
      return topic ? { topic } : {};
    },
    perform: (request: Asked) => {
      const key = `${request['cluster']} ${request['topic']}`;
      const before = all.get(key);
      const { act, partitions, replication, set, remove } = request;
      if (act === 'create') {
        const { config } = request;
        all.set(key, { id: `topic ${key}`, partitions, replication, config, underReplicated: 0 });
      } else if (act === 'delete') all.delete(key);
      else if (act === 'addPartitions') all.set(key, { ...before, partitions });
      else if (act === 'replicate') all.set(key, { ...before, replication });
      else {
        const kept = Object.entries(before?.['config'] ?? {}).filter(([name]) => !remove.includes(name));
        all.set(key, { ...before, config: { ...Object.fromEntries(kept), ...set } });
      }
    },
  };
}

function users() {
  const all = new Map<string, Asked>();
  return {
    answer: (question: Asked) => {
      const { user, login } = question;
      const known: Asked = all.get(`${question['cluster']} ${user}`) ?? {};
      const { hash, acls = [], quotas = {} } = known;
      return { hasCredential: hash !== undefined, acls, quotas, ...(login && { accepts: hash === login.hash }) };
    },
    perform: (request: Asked) => {
      const key = `${request['cluster']} ${request['user']}`;
      const before: Asked = all.get(key) ?? {};
      const { hash, acls = [], quotas = {} } = before;
      const { act, add = [], remove = [] } = request;
      const isRemoved = (acl: object) => remove.some((one: object) => JSON.stringify(one) === JSON.stringify(acl));
      all.set(key, {
        ...(act === 'setPassword' ? { hash: request['hash'] } : act === 'deletePassword' ? {} : hash && { hash }),
        acls: act === 'setAcls' ? [...acls.filter((acl: object) => !isRemoved(acl)), ...add] : acls,
        quotas: act === 'setQuotas' ? request['quotas'] : quotas,
      });
    },
  };
}
