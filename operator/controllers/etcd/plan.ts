import { etcdPeerUrl } from '../../../src/index.js';
import {
  activeMembersIn,
  createMembers,
  createMissingMembers,
  type KindStep,
  memberRules,
  nextMemberNames,
  planMembers,
} from '../../members/index.js';
import type { EtcdChange, EtcdMember } from './ports/cluster.js';
import type { Node, Situation } from './situation.js';

export type Step = KindStep<Node, EtcdChange>;

const common = memberRules<Node, Situation>({
  isHealthy: ({ isReady, etcd }) => isReady && etcd?.isHealthy === true,
  isLast: ({ etcd }, { cluster }) => etcd !== undefined && etcd.id === cluster?.leader,
});
/** In order of safety. etcd itself refuses a change that would leave no majority. */
const rules = [common.repair, common.lost, formed, removed, promoted, joined, grown, common.rollout];

export const planOf = (situation: Situation) => planMembers<Node, Situation, EtcdChange>(situation, rules);

/** The name of a member by its URL: etcd has no other name of a member that has not started. */
export const nameOf = ({ peerUrls: [url = ''] }: EtcdMember) => new URL(url).hostname.split('.')[0] ?? '';
const call = (request: EtcdChange, why: string): Step => ({ act: 'call', concern: 'provision', request, why });

/** The first members form the cluster together. */
function formed(situation: Situation): Step | undefined {
  return situation.isFormed || situation.cluster ? undefined : createMissingMembers(situation.name, situation);
}

/** Takes the vote of a member that was given up. */
function removed(situation: Situation): Step | undefined {
  const [staying, seen] = [activeMembersIn(situation), situation.members].map((all) => all.map(({ name }) => name));
  const isGivenUp = (one: EtcdMember) => one.name !== undefined || seen?.includes(nameOf(one));
  const old = situation.cluster?.members.find((one) => !staying?.includes(nameOf(one)) && isGivenUp(one));
  return old && call({ act: 'removeMember', id: old.id }, `${nameOf(old)} leaves the cluster`);
}

/** A learner that follows the leader gets a vote. */
function promoted({ cluster }: Situation): Step | undefined {
  const learner = cluster?.members.find(({ isLearner, isHealthy }) => isLearner && isHealthy);
  return learner && call({ act: 'promoteMember', id: learner.id }, `${nameOf(learner)} becomes a voter`);
}

/** Creates the member that etcd has added. */
function joined({ cluster, members }: Situation): Step | undefined {
  return createMembers(cluster?.members.map(nameOf).filter((name) => members.every((one) => one.name !== name)));
}

/** Adds a learner for a missing member. A name is never used again: its volume would count as that of another member. */
function grown(situation: Situation): Step | undefined {
  const { cluster, members, name, wanted } = situation;
  if (!cluster || cluster.members.length >= wanted) return undefined;
  const [next = ''] = nextMemberNames(name, 1, [...members.map((one) => one.name), ...cluster.members.map(nameOf)]);
  return call({ act: 'addMember', peerUrl: etcdPeerUrl(next, situation) }, `${next} is added to the cluster`);
}
