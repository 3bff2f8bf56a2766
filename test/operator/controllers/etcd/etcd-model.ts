import {
  type EtcdAnswer,
  type EtcdMember,
  type EtcdQuestion,
  etcdCluster,
} from '../../../../operator/controllers/etcd/ports/cluster.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { portModel } from '../../../../operator/testing/index.js';

/** A member that runs, with a vote. */
export function memberOf(number: number, changes: Partial<EtcdMember> = {}): EtcdMember {
  const report = { version: '3.4.23', behind: 0, dbSize: 2 ** 20, dbSizeInUse: 2 ** 20, alarms: [] };
  const peerUrls = [`https://store-${number}.store-peers.shop.svc:2380`];
  const isVoter = { isLearner: false, isHealthy: true };
  return { id: `${number}`.repeat(16), name: `store-${number}`, peerUrls, ...isVoter, report, ...changes };
}

/** A cluster of members that run. The first one leads. */
export function answerOf(...members: readonly EtcdMember[]): EtcdAnswer {
  return { clusterId: 'c1', hasQuorum: true, leader: members[0]?.id ?? '', members, silent: {} };
}

/** A cluster of etcd. It refuses what the real one refuses, and learners have the log at once. */
export const etcdModel = (state: EtcdAnswer = answerOf(memberOf(1), memberOf(2), memberOf(3))) =>
  portModel(etcdCluster, {
    state,
    // A change shows as soon as etcd has answered.
    showsWithin: 1_000,
    answer: (cluster) => cluster,
    perform: (cluster, request): EtcdAnswer => {
      const { members } = cluster;
      if (!cluster.hasQuorum)
        throw new CallError('unreachable', 'no member reads through a quorum', { mayHaveEffect: false });
      if (request.act === 'addMember') {
        if (!URL.canParse(request.peerUrl)) throw new CallError('terminal', 'given member URLs are invalid');
        if (members.some(({ peerUrls }) => peerUrls.includes(request.peerUrl))) return cluster;
        if (members.some(({ isLearner, isHealthy }) => isLearner || !isHealthy))
          throw new CallError('retryable', 'etcdserver: unhealthy cluster', { mayHaveEffect: false });
        const id = (members.length + 10).toString(16).repeat(16);
        const added = { id, peerUrls: [request.peerUrl], isLearner: true, isHealthy: false };
        return { ...cluster, members: [...members, added] };
      }
      if (request.act === 'removeMember') {
        if (isNeeded(members, request.id))
          throw new CallError('retryable', 'etcdserver: unhealthy cluster', { mayHaveEffect: false });
        return { ...cluster, members: members.filter(({ id }) => id !== request.id) };
      }
      if (!members.some(({ id }) => id === request.id)) throw new CallError('terminal', 'etcdserver: member not found');
      if (request.act === 'moveLeader') return { ...cluster, leader: request.id };
      const promoted = (one: EtcdMember) => (one.id === request.id ? { ...one, isLearner: false } : one);
      return { ...cluster, members: members.map(promoted) };
    },
  });

/** A member with a vote that runs is not removed if too few of the others do. A member that is down can always be. */
function isNeeded(members: readonly EtcdMember[], id: string): boolean {
  const voters = members.filter(({ isLearner }) => !isLearner);
  const running = voters.filter(({ isHealthy }) => isHealthy);
  return running.some((one) => one.id === id) && running.length - 1 < 1 + Math.floor((voters.length - 1) / 2);
}

/** A cluster whose members run as soon as the operator knows their Pods. @param numbers the members at first */
export function servingModel(...numbers: readonly number[]) {
  const model = etcdModel(answerOf(...numbers.map((number) => memberOf(number))));
  const serving = (state: EtcdAnswer, { endpoints }: EtcdQuestion) => servingAt(state, endpoints);
  return portModel(etcdCluster, {
    state: model.state as EtcdAnswer,
    showsWithin: 1_000,
    answer: serving,
    perform: (state, request): EtcdAnswer =>
      model.perform(serving(state, request) as never, request as never) as EtcdAnswer,
  });
}

function servingAt(cluster: EtcdAnswer, endpoints: readonly string[]): EtcdAnswer {
  const hosts = endpoints.map((endpoint) => new URL(endpoint).hostname);
  const members = cluster.members.map((one) => {
    const host = new URL(one.peerUrls[0] ?? '').hostname;
    const isHealthy = hosts.includes(host);
    return { ...one, isHealthy, ...(isHealthy && { name: host.split('.')[0] ?? '' }) };
  });
  const voters = members.filter(({ isLearner }) => !isLearner);
  const running = voters.filter(({ isHealthy }) => isHealthy);
  const [leader] = running;
  const { leader: _, ...others } = cluster;
  return { ...others, members, ...(leader && { leader: leader.id }), hasQuorum: running.length > voters.length / 2 };
}
