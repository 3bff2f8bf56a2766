import { etcdPeerUrl, etcdSerialOf } from '../../../src/index.js';
import {
  activeMembersIn,
  createFirstMembers,
  createMembers,
  type KindStep,
  memberRules,
  nextMemberNames,
  planMembers,
} from '../../members/index.js';
import type { EtcdAnswer, EtcdChange, EtcdMember } from './ports/cluster.js';
import { type Node, nameOf, type Situation } from './situation.js';

export type Step = KindStep<Node, EtcdChange>;

const common = memberRules<Node, Situation>({
  isHealthy: ({ isReady, etcd }, { cluster }) => isReady && etcd?.isHealthy === true && cluster?.hasQuorum === true,
  isExpelled: ({ etcd }) => etcd === undefined,
  isLast: ({ etcd }, { cluster }) => etcd !== undefined && etcd.id === cluster?.leader,
});
/** These rules compare objects with the members that etcd has, which are known only with a quorum. */
const compared = [common.expelled, removed, promoted, joined, grown].map((rule) => (situation: Situation) => {
  return situation.cluster?.hasQuorum ? rule(situation, situation.cluster) : undefined;
});
/** In order of safety. etcd itself refuses a change that would leave no majority. */
const rules = [common.repair, common.lost, formed, ...compared, common.rollout];

export const planOf = (situation: Situation) => planMembers<Node, Situation, EtcdChange>(situation, rules);

const call = (request: EtcdChange, why: string): Step => ({ act: 'call', concern: 'provision', request, why });

/** Whether a member of etcd has objects among these. */
const isIn = (nodes: readonly Node[], { id }: EtcdMember) => nodes.some(({ etcd }) => etcd?.id === id);

/** The first members form the cluster together. */
function formed(situation: Situation): Step | undefined {
  return situation.isFormed || situation.cluster ? undefined : createFirstMembers(situation.name, situation);
}

/** Takes the vote of a member that was given up. */
function removed(situation: Situation, { members }: EtcdAnswer): Step | undefined {
  const isGivenUp = (one: EtcdMember) => one.name !== undefined || isIn(situation.members, one);
  const old = members.find((one) => !isIn(activeMembersIn(situation), one) && isGivenUp(one));
  return old && call({ act: 'removeMember', id: old.id }, `${nameOf(old)} leaves the cluster`);
}

/** A learner that follows the leader gets a vote. */
function promoted(_: Situation, { members }: EtcdAnswer): Step | undefined {
  const learner = members.find(({ isLearner, isHealthy }) => isLearner && isHealthy);
  return learner && call({ act: 'promoteMember', id: learner.id }, `${nameOf(learner)} becomes a voter`);
}

/** Creates the member that etcd has added. */
function joined({ name, members }: Situation, cluster: EtcdAnswer): Step | undefined {
  const names = cluster.members.filter((one) => !isIn(members, one)).map(nameOf);
  return createMembers(names.filter((one) => etcdSerialOf(name, one) !== undefined));
}

/** Adds a learner for a missing member. The name of a volume is not used again, because its data is of another member. */
function grown({ members, name, namespace, wanted }: Situation, cluster: EtcdAnswer): Step | undefined {
  if (cluster.members.length >= wanted) return undefined;
  const [next = ''] = nextMemberNames(name, 1, members);
  return call({ act: 'addMember', peerUrl: etcdPeerUrl(next, { name, namespace }) }, `${next} is added to the cluster`);
}
