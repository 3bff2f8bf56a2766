import type { KafkaClusterStatus } from '../../../../../imports/index.js';
import { isKafkaController } from '../../../../../src/index.js';
import type { ClusterAnswer } from '../../ports/cluster.js';
import type { DrainProblems } from '../drained-brokers.js';
import type { KafkaNode, NodeGroup } from '../nodes/nodes.js';
import type { UncleanElection } from '../unclean-election.js';

/** The desired nodes of a group. */
export interface WantedGroup extends NodeGroup {
  readonly replicas: number;
  /** Hash of the desired Pod template. */
  readonly revision: string | undefined;
  /** The certificates of its nodes. Undefined while one of them is missing or not readable. */
  readonly certificates?: WantedCertificates | undefined;
}

/** The certificates in the Secrets of a group. Times are in milliseconds since 1970. */
export interface WantedCertificates {
  /** Identifies all of them. */
  readonly hash: string;
  /** The validity of the one with which its nodes reach the controllers. */
  readonly from: number;
  readonly to: number;
}

/** The certificates that nodes present, compared with those in their Secrets. */
export interface PresentedCertificates {
  /** Names of nodes that present only the certificates in their Secrets. */
  readonly current: readonly string[];
  /** Names of nodes that present another one. */
  readonly stale: readonly string[];
  /** Why some of these do not load them, by their names, as a part of a sentence. */
  readonly failures: Readonly<Record<string, string>>;
}

/** The facts from which the next step of a KafkaCluster is planned. */
export interface Situation {
  /** The controllers come first. */
  readonly groups: readonly WantedGroup[];
  readonly nodes: readonly KafkaNode[];
  /** What the brokers answered last. Undefined while they do not answer. */
  readonly cluster?: ClusterAnswer | undefined;
  /** When that answer was asked for, in milliseconds since 1970. */
  readonly answeredAt?: number | undefined;
  /** The Secrets with the certificates of nodes, as far as they have none. */
  readonly missingCertificates?: readonly string[];
  /** Undefined while unknown. */
  readonly presented?: PresentedCertificates | undefined;
  /** Why they do not answer. */
  readonly silence?: string | undefined;
  /** The metadata quorum has been seen. */
  readonly isBootstrapped: boolean;
  /** Milliseconds after which a broker whose machine is deleted is replaced. */
  readonly replaceAfter: number;
  /** Whether new brokers get replicas of existing partitions. */
  readonly rebalances: boolean;
  /** Whether the volumes of removed nodes are kept. Those of lost ones always are. */
  readonly keepsRemoved: boolean;
  /** Bytes per second. */
  readonly throttle: number;
  /** Dynamic configuration of all brokers. */
  readonly config: Readonly<Record<string, string>>;
  readonly finalization: Finalization;
  /** The hooks of the spec. Undefined without any. */
  readonly hooks?: Hooks | undefined;
  /** The last restart that the status records. */
  readonly restart?: RecordedRestart | undefined;
  /** The election of leaders without all records that a person asked for. */
  readonly unclean?: UncleanElection | undefined;
  /** What is wrong with the brokers that a person wants to be drained. */
  readonly drain?: DrainProblems;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The hooks that a spec has. */
export interface Hooks {
  readonly preRestart: boolean;
  readonly postRestart: boolean;
}

/** The restart of a broker, as the status records it. */
export type RecordedRestart = NonNullable<KafkaClusterStatus['restart']>;

/** When the level of `metadata.version` is raised. */
export interface Finalization {
  /** The level of the desired version. */
  readonly level: number;
  /** Milliseconds since 1970. Undefined until all nodes run the version, or while a person has to approve it. */
  readonly due?: number | undefined;
}

const firstController = 1_000;

/** Nodes that run or start: all except those whose volume is retired. */
export function membersIn({ nodes }: Pick<Situation, 'nodes'>): readonly KafkaNode[] {
  return nodes.filter(({ retired, pod, claim }) => retired === undefined && (pod !== 'none' || claim === 'there'));
}

/** Members that stay: in each group, those that are not drained, and then those with the lowest ids. */
export function stayingIn(situation: Pick<Situation, 'groups' | 'nodes'>): readonly KafkaNode[] {
  const members = membersIn(situation);
  return situation.groups.flatMap(({ name, replicas }) =>
    members
      .filter(({ group }) => group === name)
      .toSorted((a, b) => Number(a.isDrained ?? false) - Number(b.isDrained ?? false))
      .slice(0, replicas),
  );
}

/** Brokers that stay and must have no replicas. */
export function drainedIn(situation: Pick<Situation, 'groups' | 'nodes'>): readonly KafkaNode[] {
  return stayingIn(situation).filter(({ isDrained }) => isDrained);
}

/** Members that the spec no longer has, those with the highest ids first. */
export function surplusIn(situation: Situation): readonly KafkaNode[] {
  const staying = new Set(stayingIn(situation).map(({ name }) => name));
  return membersIn(situation)
    .filter(({ name }) => !staying.has(name))
    .toReversed();
}

/** Groups and ids of nodes that do not exist yet. Ids are not reused while an object or a registration has them. */
export function missingIn(situation: Situation): readonly Pick<KafkaNode, 'id' | 'group' | 'role' | 'isCombined'>[] {
  const { groups, cluster, nodes } = situation;
  const staying = stayingIn(situation);
  const registered = [
    ...(cluster?.brokers ?? []).map(({ id }) => id),
    ...[...(cluster?.quorum.voters ?? []), ...(cluster?.quorum.observers ?? [])].map(({ id }) => id),
  ];
  const used = [...nodes.map(({ id }) => id), ...registered];
  const next = {
    broker: 1 + Math.max(-1, ...used.filter((id) => id < firstController)),
    controller: 1 + Math.max(firstController - 1, ...used),
  };
  // The first controllers format their volumes with a list of all of them.
  const isFormed = !situation.isBootstrapped && membersIn(situation).some(isStartedController);
  return groups.flatMap((group) => {
    const { name, role, isCombined, replicas } = group;
    if (isKafkaController(group) && isFormed) return [];
    const present = staying.filter((node) => node.group === name).length;
    const fresh = { group: name, role, ...(isCombined && { isCombined }) };
    return Array.from({ length: Math.max(0, replicas - present) }, () => ({ id: next[role]++, ...fresh }));
  });
}

function isStartedController(node: KafkaNode): boolean {
  return isKafkaController(node) && node.pod !== 'none';
}

/** True if the node with this ID is a voter of the metadata quorum. False while the quorum is not known. */
export function isVoter(id: number, { cluster }: Pick<Situation, 'cluster'>): boolean {
  return cluster?.quorum.voters.some((voter) => voter.id === id) ?? false;
}

/**
 * True if the Pod of a node was created from another template than desired, advertises other addresses, or does not get its
 * certificates without a restart.
 */
export function isOutdated(node: KafkaNode, situation: Situation): boolean {
  const { group, pod, revision, advertised, reachable } = node;
  const wanted = situation.groups.find(({ name }) => name === group);
  if (pod !== 'there' || wanted?.revision === undefined) return false;
  const isOther = revision !== wanted.revision || (reachable !== undefined && advertised !== reachable);
  return isOther || restartCause(node, situation) !== undefined;
}

/** Why a reload of the certificates of a node is not enough, as the end of a sentence. Undefined if it is. */
export function restartCause(
  { name, group, certificates, certificateEnd }: KafkaNode,
  { groups, presented, now }: Pick<Situation, 'groups' | 'presented' | 'now'>,
): string | undefined {
  const wanted = groups.find((one) => one.name === group)?.certificates;
  // One that started with these certificates gets no others from a restart.
  if (!wanted || certificates === wanted.hash) return undefined;
  const failure = presented?.failures[name];
  if (failure !== undefined) return `it does not load its renewed certificates: ${failure}`;
  const isEnding =
    certificateEnd !== undefined && wanted.to > certificateEnd && now >= restartDue(certificateEnd, wanted);
  return isEnding ? 'the certificate ends with which it connects to the controllers' : undefined;
}

/**
 * When a node must start again to connect to the controllers with a renewed certificate. It is renewed after two thirds of its
 * validity, so half of the rest is left. @param end of the certificate with which it started
 */
export function restartDue(end: number, { from, to }: Pick<WantedCertificates, 'from' | 'to'>): number {
  return end - (to - from) / 6;
}

/** Why a node does not serve. Undefined if it does, as far as is known. */
export function illnessOf(node: KafkaNode, { cluster }: Situation): string | undefined {
  const { name, role, id, pod, isReady, trouble } = node;
  if (pod !== 'there') return `${name} has no Pod yet`;
  if (!isReady) return trouble === undefined ? `${name} is not ready` : `${name} is not ready: ${trouble}`;
  if (!cluster) return undefined;
  if (role === 'broker') {
    const registered = cluster.brokers.find((one) => one.id === id);
    if (!registered || registered.isFenced) return `${name} does not serve yet`;
    if (!isKafkaController(node)) return undefined;
  }
  return isLagging(id, cluster) ? `${name} lags behind the metadata quorum` : undefined;
}

/** Milliseconds by which the clocks of machines may differ, and to which Kubernetes rounds times. */
const clockSkew = 3_000;

/**
 * True if a node became ready after the last answer was asked for: the answer may show its replicas as they were before it
 * stopped. True if one of the times is not known.
 */
export function isBeyondAnswer(
  { readySince }: Pick<KafkaNode, 'readySince'>,
  { answeredAt }: Pick<Situation, 'answeredAt'>,
): boolean {
  return readySince === undefined || answeredAt === undefined || !(readySince <= answeredAt - clockSkew);
}

/** Records of the metadata log by which a controller may lag behind: the answer of the quorum is some milliseconds old. */
const lag = 1_000;

function isLagging(id: number, { quorum }: ClusterAnswer): boolean {
  const leader = quorum.voters.find((one) => one.id === quorum.leader);
  const member = [...quorum.voters, ...quorum.observers].find((one) => one.id === id);
  return !leader || !member || leader.logEndOffset - member.logEndOffset > lag;
}

/** The answer of the brokers, if the quorum has a leader. */
export function quorumIn({ cluster }: Situation): ClusterAnswer['quorum'] | undefined {
  return cluster && cluster.quorum.leader >= 0 ? cluster.quorum : undefined;
}
