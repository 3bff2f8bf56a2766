import { type LeaderElectionResource, leaderElectionKind } from '../../imports/index.js';
import { switchoverAnnotation } from '../../operator/controllers/leader/situation.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { notFoundError } from '../status/listed-resources.js';

/** What a user asks for. */
export interface SwitchoverRequest {
  readonly name: ObjectName;
  /** Name of the Pod. @default - the replica that suits best */
  readonly to?: string | undefined;
  /** The Pod leads although it may lack confirmed writes. */
  readonly acceptsLoss: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Asks the operator for another leader.
 * @returns the request as a sentence for users
 * @throws {Error} if the LeaderElection or the Pod does not exist, or if a loss is accepted without a Pod
 */
export async function switchover(cluster: Cluster, request: SwitchoverRequest): Promise<string> {
  const { name, to, acceptsLoss, now } = request;
  if (acceptsLoss && to === undefined)
    throw new Error('--accept-data-loss must come with --to: name the Pod whose data is right');
  const { kind } = leaderElectionKind;
  const live = (await resourceNamed(leaderElectionKind, name, cluster)) as LeaderElectionResource | undefined;
  if (!live) throw notFoundError(kind, name);
  const title = `${kind} ${keyOf(name)}`;
  const { uid, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined)
    throw new Error(`${title} is being deleted, so the operator ignores the request`);
  refuseStranger(live, to);
  const value = [
    new Date(now).toISOString(),
    ...(to === undefined ? [] : [`to=${to}`]),
    ...(acceptsLoss ? ['accept-data-loss'] : []),
  ];
  // With the UID, a resource that was deleted and created again meanwhile is left alone.
  const metadata = { ...name, uid, annotations: { [switchoverAnnotation]: value.join(' ') } };
  const manifest = { apiVersion: apiVersionOf(leaderElectionKind), kind, metadata } as Manifest;
  await cluster.apply(leaderElectionKind, manifest, { manager: 'reconstruct-request' });
  const follow = `reconstruct status ${kind.toLowerCase()} ${name.name} -n ${name.namespace}`;
  return `${title}: requested another leader; to follow it, run ${follow}`;
}

/** The operator would refuse it later. */
function refuseStranger({ metadata, status }: LeaderElectionResource, to: string | undefined): void {
  const known = (status?.states ?? []).map((one) => one.name);
  if (to === undefined || known.includes(to)) return;
  throw new Error(
    `LeaderElection ${metadata.name} has no candidate ${to}; its candidates are ${known.join(', ') || 'none yet'}`,
  );
}
