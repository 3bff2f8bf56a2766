import type { AddressFamily, Endpoint } from '../../../src/index.js';
import type { Candidate } from './election/candidate.js';
import { leadingCandidate } from './election/leader.js';
import { holderIn, holdingPod } from './plan/tenure.js';
import type { Situation } from './situation.js';

/** Where the Services lead to. Undefined while that is not known, so that they stay as they are. */
export interface Endpoints {
  readonly leader: readonly Endpoint[];
  readonly replicas: readonly Endpoint[];
}

/** UIDs of the Pods to which the Services lead now. */
export type Before = Readonly<Record<keyof Endpoints, readonly string[]>>;

/** The endpoints of both Services. Who does not answer the operator may still serve clients, and stays where it was. */
export function endpointsOf(situation: Situation, before: Before): Endpoints | undefined {
  const { lease, fencing, candidates } = situation;
  if (!lease) return undefined;
  const leader = fencing === 'launcher' ? servingLeader(situation, before.leader) : labelledLeader(situation);
  const replicas = candidates
    .filter(({ uid }) => uid !== holderIn(situation)?.uid)
    .filter((one) => isFollowing(one, situation) || isSilentReplica(one, before.replicas));
  return { leader: leader ? endpointIn(leader) : [], replicas: replicas.flatMap(endpointIn) };
}

function servingLeader(situation: Situation, before: readonly string[]): Candidate | undefined {
  const { lease, candidates } = situation;
  const leading = leadingCandidate(lease, candidates);
  if (leading) return leading;
  const pod = holdingPod(situation);
  const isSilent = lease?.state === 'held' && pod !== undefined && !pod.report;
  return isSilent && before.includes(pod.uid) ? pod : undefined;
}

function labelledLeader(situation: Situation): Candidate | undefined {
  const pod = holdingPod(situation);
  const { hooks } = situation.spec.application;
  const term = situation.lease?.state === 'absent' ? undefined : situation.lease?.term;
  // With hooks, the application has said so in this term. A silent one is not sent any clients.
  const isPromoted = !hooks || (pod?.hook?.role === 'leader' && pod.hook.term === term);
  return pod?.isReady && !pod.isEnding && isPromoted ? pod : undefined;
}

function isFollowing({ isReady, isEnding, report }: Candidate, { fencing }: Situation): boolean {
  if (isEnding || !isReady) return false;
  return fencing === 'pod' || (report?.role === 'replica' && report.application.isComplete);
}

/** The kubelet asks the launcher too: a Pod that is not ready is no endpoint. */
function isSilentReplica({ uid, isReady, isEnding, report }: Candidate, before: readonly string[]): boolean {
  return !report && isReady && !isEnding && before.includes(uid);
}

function endpointIn({ name, uid, address }: Candidate): readonly Endpoint[] {
  if (address === undefined) return [];
  return [{ name, uid, address, family: familyOf(address) }];
}

/** The families of the addresses that candidates have. */
export function familiesIn(candidates: readonly Candidate[]): readonly AddressFamily[] {
  return [...new Set(candidates.flatMap(({ address }) => (address === undefined ? [] : [familyOf(address)])))];
}

function familyOf(address: string): AddressFamily {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}
