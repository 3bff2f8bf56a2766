import type { GoneNodesAnswer, GoneNodesQuestion } from '../../pods/gone-nodes.js';
import { withLeftClaims } from '../../pods/left-claims.js';
import type { NodeState } from '../../pods/node-state.js';
import {
  type CustomResource,
  type Facts,
  type LivePersistentVolumeClaim,
  type Owned,
  PersistentVolumeClaim,
  Pod,
  type Polled,
  type PollRequest,
  pollValueOf,
  type Refer,
} from '../../runtime/index.js';
import { retirementOf } from '../claims/member-claim.js';
import type { MemberObjects } from '../member/member.js';
import { goneNodesAsked, readNodes } from '../member/node-reads.js';

/** What every stateful kind reads. */
export interface MemberReads {
  readonly nodes: readonly NodeState[];
  readonly claims: readonly LivePersistentVolumeClaim[];
}

/** What a stateful kind observes, without time and answers: the input of its polls. */
export interface StableMemberView<R extends CustomResource = CustomResource, Reads = object>
  extends Pick<Facts<R>, 'resource' | 'isServed'> {
  readonly owned: Pick<Owned<typeof Pod | typeof PersistentVolumeClaim>, 'of'>;
  readonly reads: Reads & MemberReads;
}

/** What a stateful kind observes: the input of `desire` and `assess`. `Answer` is what its engine answers. */
export interface MemberView<R extends CustomResource = CustomResource, Answer = unknown, Reads = object>
  extends StableMemberView<R, Reads>,
    Pick<Facts<R>, 'now'> {
  /** In `assess`, the objects that are being deleted. In `desire`, `owned` contains them. */
  readonly pruning?: Pick<Owned<typeof Pod>, 'of'>;
  readonly polled: {
    readonly goneNodes: Polled<GoneNodesAnswer> | undefined;
    /** What the members report. */
    readonly engine: Polled<Answer> | undefined;
  };
}

/**
 * Declares what every stateful kind reads: Nodes, and the PVCs with the labels of the resource, to take up volumes that an
 * earlier resource of the same name left.
 */
export function memberReads<R extends CustomResource>(
  refer: Refer<R>,
  labelsOf: (name: string) => Readonly<Record<string, string>>,
) {
  const claims = refer.matchingLabels(PersistentVolumeClaim, ({ metadata }) => ({ labels: labelsOf(metadata.name) }));
  return { nodes: readNodes(refer), claims };
}

/** Asks whether the nodes of the volumes are deleted. @see {@link goneNodesAsked} */
export function goneNodesPollRequest(view: StableMemberView): PollRequest<GoneNodesQuestion> | undefined {
  if (view.resource.metadata.deletionTimestamp !== undefined) return undefined;
  const claims = view.owned.of(PersistentVolumeClaim).filter((claim) => retirementOf(claim) === undefined);
  return goneNodesAsked({ claims, nodes: view.reads.nodes, isServed: (kind) => view.isServed(kind) });
}

/**
 * Asks the engine of a resource while it has Pods. A deletion would wait for the answer of an engine without any.
 * @param question how the operator reaches the engine
 */
export function enginePollRequest<Question>(
  { owned }: StableMemberView,
  question: Question,
): PollRequest<Question> | undefined {
  return owned.of(Pod).length === 0 ? undefined : { question, interval: 5_000, timeout: 10_000 };
}

/** The PVCs of a resource, and unowned ones that an earlier resource of the same name left. */
export function memberClaimsOf({
  owned,
  reads,
}: Pick<StableMemberView, 'owned' | 'reads'>): readonly LivePersistentVolumeClaim[] {
  return withLeftClaims(owned.of(PersistentVolumeClaim), reads.claims);
}

/** The live objects of a view, from which members are read. @param topologyKey the topology label of nodes */
export function memberObjectsOf(view: MemberView, topologyKey: string): MemberObjects {
  const { goneNodes } = view.polled;
  return {
    pods: [...view.owned.of(Pod), ...(view.pruning?.of(Pod) ?? [])],
    claims: memberClaimsOf(view),
    nodes: view.reads.nodes,
    gone: pollValueOf(goneNodes)?.gone ?? [],
    topologyKey,
  };
}
