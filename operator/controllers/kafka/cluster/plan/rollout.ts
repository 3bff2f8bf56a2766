import { isKafkaController } from '../../../../../src/index.js';
import { disruptionOf, type MemberState, type ReplicatedGroup } from '../../../../disruption/disruption.js';
import { isAllowed, repair as repairMember, rollingGroup } from '../../../../members/index.js';
import type { BrokerLoad } from '../../ports/cluster.js';
import { isBeyondAnswer, type KafkaNode } from '../nodes/nodes.js';
import { membersIn, quorumIn, type Situation, stayingIn } from '../situation.js';
import { illnessOf, isLoading } from './health.js';
import { isOutdated, restartCause } from './outdated.js';
import { interruption, isAbout, postRestart, restartHold } from './restart.js';
import { onNode, type Step, waitStep } from './step.js';

/** Replaces an outdated node that does not run: this costs no availability and may fix the node. */
export function repair(situation: Situation): Step | undefined {
  const step = repairMember(stayingIn(situation), {
    isOutdated: (node) => isOutdated(node, situation),
    isDown: (node) => isDown(node, situation),
  });
  return onNode(step);
}

/**
 * A node that is not ready may still serve, so the brokers are asked, unless its container does not run at all. They do not
 * know of a controller whether it serves, also of one in a broker that they have fenced.
 */
export function isDown(node: KafkaNode, { cluster }: Situation): boolean {
  const { isReady, isNodeLost, trouble, id } = node;
  if (isReady || isNodeLost || isLoading(node, { cluster })) return false;
  if (trouble !== undefined) return true;
  const registered = cluster?.brokers.find((broker) => broker.id === id);
  return cluster !== undefined && !isKafkaController(node) && (!registered || registered.isFenced);
}

/**
 * Replaces one node at a time while all others serve: controllers first, then brokers, and the leader of the quorum last. A
 * broker is replaced only while every partition keeps min(replicas, min.insync.replicas) in-sync replicas without it, and a
 * controller only while a majority of the voters is left. A broker that is a controller needs both.
 */
export function outdated(situation: Situation): Step | undefined {
  const staying = stayingIn(situation);
  const old = staying.filter((node) => isOutdated(node, situation));
  const held = postRestart(situation);
  if (held || old.length === 0) return held;
  const quorum = quorumIn(situation);
  if (!quorum) {
    const silence = situation.silence ?? 'the brokers do not answer';
    return waitStep('update', `no node is replaced, because ${silence}${otherCertificates(old, situation)}`);
  }
  const [first] = old.toSorted((a, b) => placeOf(a, quorum.leader) - placeOf(b, quorum.leader));
  // Its hook has run or is running.
  const node = old.find((one) => isAbout(one, situation)) ?? first;
  if (!node) return undefined;
  const obstacle =
    missingClaim(node) ??
    node.awaits ??
    unknownLevel(situation) ??
    obstacleTo(node, situation) ??
    loading(node, situation);
  if (obstacle !== undefined) return waitStep('update', `no node is replaced: ${obstacle}`);
  const cause = restartCause(node, situation);
  const because = cause === undefined ? '' : `, because ${cause}`;
  const why = `${node.name} is being replaced${because}${interruption(node, situation)}`;
  return restartHold(node, situation) ?? { act: 'replace', concern: 'update', node, why };
}

/** A node that is stopped for a volume that it does not get would not start again. */
function missingClaim({ name, missingClaim }: KafkaNode): string | undefined {
  return missingClaim && `${name} has to start with PersistentVolumeClaim ${missingClaim}, which does not exist`;
}

/** A broker that is stopped while it loads its log begins that anew. */
function loading(node: KafkaNode, situation: Situation): string | undefined {
  return isLoading(node, situation) ? `${node.name} loads its log, and is replaced when it serves again` : undefined;
}

/**
 * Nodes that do not run the certificates in their Secrets. If their authority was replaced, they and the others refuse each other,
 * and nobody answers until a person acts. Begins with a semicolon, or empty.
 */
function otherCertificates(old: readonly KafkaNode[], { groups }: Situation): string {
  const names = old
    .filter(({ group, certificates }) => {
      const wanted = groups.find(({ name }) => name === group)?.certificates;
      return wanted && certificates !== undefined && certificates !== wanted.hash;
    })
    .map(({ name }) => name);
  if (names.length === 0) return '';
  return `; ${names.join(', ')} started with other certificates than those in their Secrets: if the CA was replaced, restore its Secret, or delete these Pods one after another`;
}

/** Nodes of an earlier version cannot read metadata of a finalized level, so none starts before the level is known. */
function unknownLevel({ cluster }: Situation): string | undefined {
  if (cluster?.metadataVersion.finalized !== undefined) return undefined;
  return 'the finalized level of metadata.version cannot be read';
}

function placeOf(node: KafkaNode, leader: number): number {
  return node.id === leader ? 2 : isKafkaController(node) ? 0 : 1;
}

/** Why a node must not be stopped now, as the part of a sentence. Undefined if it can be. */
export function obstacleTo(node: KafkaNode, situation: Situation): string | undefined {
  const { cluster } = situation;
  if (!cluster) return situation.silence ?? 'the brokers do not answer';
  const groups = [nodesBeside(node, situation), votersBeside(node, cluster.quorum.voters, situation)];
  if (!isAllowed(disruptionOf(node.name, groups)))
    return illnessBeside(node, situation) ?? 'too few voters of the metadata quorum run';
  if (node.role === 'controller') return undefined;
  // Absent for a broker that is not registered and has no replica.
  const load = cluster.load[node.id];
  return load && partitionsWithout(node, load);
}

/** Why the partitions of a broker do not allow that it is stopped. Undefined if they do. */
function partitionsWithout({ name }: KafkaNode, load: BrokerLoad): string | undefined {
  const { blocking, unavoidable, blockingNames, unknownMinIsr, unknownMinIsrTopics } = load;
  if (unknownMinIsr > 0)
    return `min.insync.replicas cannot be read for topics with a replica on ${name}: ${listed(unknownMinIsrTopics, unknownMinIsr)}`;
  // A topic with one replica would stop every rollout for ever.
  if (blocking <= unavoidable) return undefined;
  return `without ${name}, these partitions would have fewer in-sync replicas than min.insync.replicas: ${listed(blockingNames, blocking)}`;
}

function listed(names: readonly string[], count: number): string {
  return count > names.length ? `${names.join(', ')} and ${count - names.length} more` : names.join(', ');
}

/** All nodes, of which one at a time may be down. */
function nodesBeside(node: KafkaNode, situation: Situation): ReplicatedGroup {
  return rollingGroup(membersIn(situation), (one) => stateBeside(node, one, situation));
}

/** The voters of the metadata quorum, of which a majority must be up. One without a node is down. */
function votersBeside(
  node: KafkaNode,
  voters: readonly { readonly id: number }[],
  situation: Situation,
): ReplicatedGroup {
  const members = voters.map(({ id }) => {
    const voter = membersIn(situation).find((one) => one.id === id);
    if (!voter) return { name: `controller ${id}`, state: 'down' as const };
    return { name: voter.name, state: stateBeside(node, voter, situation) };
  });
  return { members, needed: Math.floor(voters.length / 2) + 1 };
}

/** A node that is about to be stopped counts as up: nobody proved that nothing depends on it. */
function stateBeside(node: KafkaNode, one: KafkaNode, situation: Situation): MemberState {
  if (one.name === node.name) return 'up';
  if (illnessOf(one, situation) !== undefined) return one.pod === 'there' ? 'unknown' : 'down';
  return isBeyondAnswer(one, situation) ? 'unknown' : 'up';
}

function illnessBeside(node: KafkaNode, situation: Situation): string | undefined {
  const others = membersIn(situation).filter(({ name }) => name !== node.name);
  const ill = others.map((other) => illnessOf(other, situation)).find((illness) => illness !== undefined);
  if (ill !== undefined) return ill;
  const fresh = others.find((other) => isBeyondAnswer(other, situation));
  return fresh && `${fresh.name} became ready after the last answer of the brokers`;
}
