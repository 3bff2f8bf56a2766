import { secondsOf } from '../../../../crds/index.js';
import type { KafkaClusterResource, KafkaClusterStatus } from '../../../../imports/index.js';
import { metadataLevels, wholeQuantity } from '../../../../src/index.js';
import { activeMembers } from '../../../members/index.js';
import { pollValueOf } from '../../../runtime/index.js';
import type { ClusterAnswer } from '../ports/cluster.js';
import { type DrainProblems, drainProblems } from './annotations/drained-brokers.js';
import { type UnclaimedLogins, unclaimedLogins } from './annotations/unclaimed-logins.js';
import { type UnclaimedTopics, unclaimedTopics } from './annotations/unclaimed-topics.js';
import { type UncleanElection, uncleanElectionIn } from './annotations/unclean-election.js';
import { type PresentedCertificates, presentedIn } from './certificates/presented-certificates.js';
import { claimants, topicClaimant } from './declarations.js';
import { defaultsIn, type WantedCertificates, type WantedGroup, wantedGroups } from './groups.js';
import { isRetired, type KafkaNode } from './nodes/nodes.js';
import { wantedConfiguration } from './nodes/replication-defaults.js';
import { isBootstrapped, type KafkaView, knownClusterIds, missingCertificates, nodesIn } from './view.js';

export type { PresentedCertificates, WantedCertificates, WantedGroup };

/** The facts from which the next step of a KafkaCluster is planned. */
export interface Situation {
  /** The name of the KafkaCluster. */
  readonly name?: string;
  /** The identifier of the cluster in Kafka, of the KafkaCluster or of its volumes. Undefined while it has none. */
  readonly clusterId?: string | undefined;
  /** The status records that the metadata quorum has been seen, so that not the volumes alone show it. @default false */
  readonly isRecorded?: boolean;
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
  /** Users that no resource has any more. Undefined while that is not known. */
  readonly logins?: UnclaimedLogins | undefined;
  /** Topics that no KafkaTopic has any more. Undefined while that is not known. */
  readonly topics?: UnclaimedTopics | undefined;
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

/** Annotation with which a person approves that a version is finalized. */
export const finalizeAnnotation = 'reconstruct.dev/finalize';

/** The observed and desired state of a KafkaCluster. */
export function situationOf(view: KafkaView): Situation {
  const { resource, polled, now } = view;
  const { spec, status } = resource;
  const { cluster, goneNodes, certificates } = polled;
  const nodes = nodesIn(view, pollValueOf(goneNodes)?.gone ?? []);
  const groups = wantedGroups(view, nodes);
  return {
    ...{ name: resource.metadata.name, clusterId: knownClusterIds(view)[0], isRecorded: status?.bootstrapped === true },
    groups,
    nodes,
    missingCertificates: missingCertificates(view),
    presented: presentedIn(view, stayingIn({ groups, nodes }), certificates),
    ...(cluster?.known
      ? { cluster: cluster.value, answeredAt: cluster.at }
      : cluster && { silence: `the brokers do not answer: ${cluster.why}` }),
    isBootstrapped: isBootstrapped(view),
    replaceAfter: 1_000 * secondsOf(spec.replaceAfter),
    rebalances: spec.rebalance.triggers.includes('Scale'),
    keepsRemoved: spec.deletionPolicy === 'Retain',
    throttle: Number(wholeQuantity(spec.rebalance.throttle)),
    config: wantedConfiguration(spec, defaultsIn(view, nodes), pollValueOf(cluster)),
    finalization: { level: metadataLevels[spec.version], due: finalizationDue(resource, status?.rolledOutTime) },
    hooks: hooksIn(spec),
    restart: status?.restart,
    drain: drainProblems(resource, brokersOf(nodes)),
    unclean: uncleanElectionIn(resource, pollValueOf(cluster)),
    logins: loginsIn(view),
    topics: topicsIn(view),
    now: now.getTime(),
  };
}

function loginsIn({ resource, polled, reads, isServed }: KafkaView): UnclaimedLogins | undefined {
  if (!polled.cluster?.known || !Object.values(claimants).every(isServed)) return undefined;
  return unclaimedLogins(resource, polled.cluster.value, reads);
}

function topicsIn({ resource, polled, reads, isServed }: KafkaView): UnclaimedTopics | undefined {
  if (!polled.cluster?.known || !isServed(topicClaimant)) return undefined;
  return unclaimedTopics(resource, polled.cluster.value, reads.topics);
}

function brokersOf(nodes: Situation['nodes']): readonly number[] {
  return nodes.flatMap(({ id, role, retired }) => (role === 'broker' && retired === undefined ? [id] : []));
}

function hooksIn({ hooks }: KafkaClusterResource['spec']): Situation['hooks'] {
  if (!hooks?.preRestart && !hooks?.postRestart) return undefined;
  return { preRestart: hooks.preRestart !== undefined, postRestart: hooks.postRestart !== undefined };
}

/** When the version is finalized, in milliseconds since 1970. @param since time since which every node runs it */
export function finalizationDue({ metadata, spec }: KafkaClusterResource, since: string | undefined) {
  if (since === undefined) return undefined;
  if (metadata.annotations?.[finalizeAnnotation] === spec.version) return Date.parse(since);
  return spec.finalize.policy === 'Manual' ? undefined : Date.parse(since) + 1_000 * secondsOf(spec.finalize.after);
}

/** Nodes that run or start: all except those whose volume is retired. */
export function membersIn({ nodes }: Pick<Situation, 'nodes'>): readonly KafkaNode[] {
  return activeMembers(nodes, isRetired);
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

/** True if the node with this ID is a voter of the metadata quorum. False while the quorum is not known. */
export function isVoter(id: number, { cluster }: Pick<Situation, 'cluster'>): boolean {
  return cluster?.quorum.voters.some((voter) => voter.id === id) ?? false;
}

/** The answer of the brokers, if the quorum has a leader. */
export function quorumIn({ cluster }: Situation): ClusterAnswer['quorum'] | undefined {
  return cluster && cluster.quorum.leader >= 0 ? cluster.quorum : undefined;
}
