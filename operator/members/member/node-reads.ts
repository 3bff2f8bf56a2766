import type { GoneNodesQuestion } from '../../pods/gone-nodes.js';
import { type NodeState, nodeState } from '../../pods/node-state.js';
import { homeOf } from '../../pods/presence.js';
import {
  type CustomResource,
  type LivePersistentVolumeClaim,
  Node,
  type ObjectKind,
  optional,
  type PollRequest,
  type Refer,
} from '../../runtime/index.js';

/**
 * Declares that a controller reads the nodes of its members. An operator that is limited to some namespaces may have no
 * permission to read them, so the kind is optional, and the list is empty then.
 */
export function readNodes<R extends CustomResource>({ matchingLabels }: Refer<R>) {
  return matchingLabels(optional(Node), () => ({ labels: {} }), nodeState);
}

/** From what a controller asks whether nodes are deleted. */
export interface NodesOfVolumes {
  /** PVCs on which members run. A retired PVC needs no node. */
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** The nodes that the cache has. */
  readonly nodes: readonly NodeState[];
  readonly isServed: (kind: ObjectKind) => boolean;
}

/**
 * Asks the API server whether the nodes of volumes are deleted, because absence from a cache proves nothing. Asks nothing
 * if the cache has all of them, or if the operator has no permission to read Nodes.
 */
export function goneNodesAsked({
  claims,
  nodes,
  isServed,
}: NodesOfVolumes): PollRequest<GoneNodesQuestion> | undefined {
  if (!isServed(Node)) return undefined;
  const homes = new Set(claims.flatMap((claim) => homeOf(claim) ?? []));
  const names = [...homes].filter((home) => nodes.every(({ name }) => name !== home)).toSorted();
  return names.length === 0 ? undefined : { question: { names }, interval: 30_000 };
}
