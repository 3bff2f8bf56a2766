import { secondsOf } from '../../../crds/index.js';
import type { LeaderElectionResource, LeaderElectionSpec } from '../../../imports/index.js';
import { annotatedRequest } from '../../consumers/request-annotation.js';
import { pollValueOf } from '../../runtime/index.js';
import { type Candidate, roleIn, type Told } from './election/candidate.js';
import { type Memory, memoryOf } from './election/memory.js';
import type { PodPart } from './election/pod-part.js';
import type { LeaseAnswer } from './ports/leases.js';
import type { PodRole } from './ports/roles.js';
import { rivalOf } from './rivals.js';
import type { ElectionView } from './view.js';

/** Annotation that asks for another leader. Each new value asks once. */
export const switchoverAnnotation = 'reconstruct.dev/switchover';

/** How the leader is kept from writing after its term: by its launcher, or by the end of its Pod. */
export type Fencing = 'launcher' | 'pod';

/** What a person asks for. */
export interface Switchover {
  /** The value of the annotation. */
  readonly value: string;
  /** The Pod that should lead. @default - the one with the most data */
  readonly to?: string | undefined;
  /** The Pod leads although it may lack confirmed writes. */
  readonly acceptsLoss: boolean;
}

/** What is known about an election. */
export interface Situation {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly spec: LeaderElectionSpec;
  readonly fencing: Fencing;
  /** The name of an older election that selects the same Pods. */
  readonly rival?: string | undefined;
  /** Undefined while it is unknown. */
  readonly lease?: LeaseAnswer | undefined;
  /** By name. */
  readonly candidates: readonly Candidate[];
  /** When the launchers were asked, in milliseconds since 1970. Undefined while their answers are unknown. */
  readonly reportsAt?: number | undefined;
  /** UIDs of Pods that exist, of those that were asked for. Undefined while they are unknown. */
  readonly existing?: readonly string[] | undefined;
  /** UIDs of those that are being deleted. */
  readonly ending: readonly string[];
  readonly memory: Memory;
  /** Undefined if nobody asks, or the request was handled or cannot be read. */
  readonly switchover?: Switchover | undefined;
  /** A request with a word that is no option. */
  readonly unreadable?: { readonly value: string; readonly word: string } | undefined;
}

/** Reads the facts. */
export function situationOf(view: ElectionView): Situation {
  const { resource, polled, now } = view;
  const { name, namespace = '', uid } = resource.metadata;
  const roles = pollValueOf(polled.roles);
  return {
    ...{ now: now.getTime(), name, namespace, uid, spec: resource.spec },
    fencing: fencingOf(resource),
    rival: rivalOf(resource, view.reads),
    lease: pollValueOf(polled.lease),
    candidates: view.reads.pods.map((pod) => candidateOf(view, pod, roles?.pods[pod.name])),
    reportsAt: polled.launchers?.known ? polled.launchers.at : undefined,
    existing: roles && Object.values(roles.pods).map(({ uid: pod }) => pod),
    ending: Object.values(roles?.pods ?? {}).flatMap(({ uid: pod, isEnding }) => (isEnding ? [pod] : [])),
    memory: memoryOf(resource.status),
    ...switchoverOf(resource),
  };
}

/** Only Redis has a launcher. */
export function fencingOf({ spec }: Pick<LeaderElectionResource, 'spec'>): Fencing {
  return spec.application.redis ? 'launcher' : 'pod';
}

function candidateOf({ reads, polled }: ElectionView, pod: PodPart, role: PodRole | undefined): Candidate {
  const { nodeName, labels: _, ...part } = pod;
  const { name, uid } = part;
  const launchers = pollValueOf(polled.launchers);
  const hooks = pollValueOf(polled.hooks);
  const report = launchers?.reports[name];
  return {
    ...part,
    // An answer of the API server can be newer than what was observed of the Pod.
    isEnding: part.isEnding || (role?.uid === uid && role.isEnding === true),
    zone: reads.nodes.find((node) => node.name === nodeName)?.labels['topology.kubernetes.io/zone'],
    // A Pod of the same name that replaced another one has another UID.
    report: report?.uid === uid ? report : undefined,
    silence: launchers?.silent[name] ?? hooks?.silent[name],
    hook: hooks?.states[name],
    told: role?.uid === uid ? toldOf(role) : undefined,
  };
}

function toldOf({ role: text, term, isLabelled }: PodRole): Told {
  return { text, role: roleIn(text), term, isLabelled };
}

function switchoverOf({
  metadata,
  status,
}: LeaderElectionResource): Pick<Situation, 'switchover' | 'unreadable'> | undefined {
  const value = annotatedRequest(metadata, switchoverAnnotation);
  if (value === undefined || value === status?.requested) return undefined;
  // The first word only makes the request another one.
  const words = value.trim().split(/\s+/).slice(1);
  const word = words.find((one) => !/^(to=.+|accept-data-loss)$/.test(one));
  if (word !== undefined) return { unreadable: { value, word } };
  const to = words.find((one) => one.startsWith('to='))?.slice('to='.length);
  return { switchover: { value, to, acceptsLoss: words.includes('accept-data-loss') } };
}

/** Milliseconds. */
export function timesOf({ lease, prefer, safety }: LeaderElectionSpec) {
  const milliseconds = (text: string) => secondsOf(text) * 1000;
  return {
    duration: milliseconds(lease.leaseDuration),
    renewDeadline: milliseconds(lease.renewDeadline),
    retryPeriod: milliseconds(lease.retryPeriod),
    minTenure: milliseconds(prefer.minTenure),
    maxLag: milliseconds(safety.maxLag),
  };
}
