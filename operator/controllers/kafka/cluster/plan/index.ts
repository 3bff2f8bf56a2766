import type { KafkaNode } from '../nodes/nodes.js';
import { drained, formerControllers, leaving, lost, missing, voters } from './membership.js';
import { outdated, repair } from './rollout.js';
import { isVoter, membersIn, missingIn, type Situation, surplusIn } from './situation.js';
import type { Step } from './step.js';
import { uncleanElection } from './unclean.js';
import { balance, configuration, finalization } from './upkeep.js';

export { reloadIn } from './certificates.js';
export { brokersForDefaults, wantedConfiguration } from './defaults.js';
export { leavingIds } from './membership.js';
export { isRunning, openHook, targetOf } from './restart.js';
export {
  illnessOf,
  isBeyondAnswer,
  isOutdated,
  isVoter,
  membersIn,
  type PresentedCertificates,
  quorumIn,
  type RecordedRestart,
  restartDue,
  type Situation,
  stayingIn,
  surplusIn,
  type WantedCertificates,
  type WantedGroup,
} from './situation.js';
export type { Act, Concern, Step } from './step.js';
export { emptyBrokers } from './upkeep.js';

/** A node to render. */
export type NodePlan = Pick<KafkaNode, 'id' | 'group' | 'role' | 'isCombined'>;

/** A PVC to render. */
export interface ClaimPlan extends NodePlan {
  readonly retired?: KafkaNode['retired'];
}

/** The Pods, PVCs and the call that a reconcile renders. */
export interface Plan {
  readonly pods: readonly NodePlan[];
  readonly claims: readonly ClaimPlan[];
  /** At most one of them is not a wait. */
  readonly steps: readonly Step[];
}

/** Order of priority: steps without cost, those that restore redundancy, and last those that reduce it. */
const order = [
  uncleanElection,
  repair,
  lost,
  missing,
  voters,
  formerControllers,
  leaving,
  outdated,
  drained,
  configuration,
  balance,
  finalization,
];

/**
 * Plans the next step. It stops at most one node, and only if the answer of the brokers proves that nothing is lost. Unknown
 * facts never stop a node.
 */
export function planOf(situation: Situation): Plan {
  const steps = stepsOf(situation);
  const step = steps.find(({ act }) => act !== 'wait');
  const fresh = step?.act === 'add' ? missingIn(situation) : [];
  const isMeant = (node: KafkaNode, ...acts: readonly Step['act'][]) =>
    step !== undefined && 'node' in step && acts.includes(step.act) && step.node.name === node.name;
  // A terminating Pod must be gone first, and no Pod is created on a terminating volume.
  const runs = (node: KafkaNode) =>
    (node.pod === 'there' || (node.pod === 'none' && node.claim === 'there')) &&
    !isMeant(node, 'replace', 'stop', 'retire') &&
    !isStoppedForGood(node, situation);
  const pods = membersIn(situation).filter(runs);
  // A PVC that a Pod uses but that is not observed has lost its labels. Rendering it restores them.
  const claims = situation.nodes
    .filter(
      ({ claim, pod, retired }) => claim === 'there' || (claim === 'none' && pod === 'there' && retired === undefined),
    )
    // It has left the cluster: the label on the PVC is the proof.
    .filter(({ retired, pod }) => retired !== 'removed' || pod !== 'none' || situation.keepsRemoved)
    .map((node) => ({ ...partOf(node), retired: isMeant(node, 'retire') ? causeOf(step) : node.retired }));
  return { pods: [...pods.map(partOf), ...fresh], claims: [...claims, ...fresh], steps };
}

function partOf({ id, group, role, isCombined }: KafkaNode): NodePlan {
  return { id, group, role, ...(isCombined && { isCombined }) };
}

function causeOf(step: Step | undefined): KafkaNode['retired'] {
  return step?.concern === 'lost' ? 'lost' : 'removed';
}

/** True for a node that leaves and was stopped: it does not start again while its registration is removed. */
function isStoppedForGood(node: KafkaNode, situation: Situation): boolean {
  const { cluster } = situation;
  if (node.pod !== 'none' || !cluster || !surplusIn(situation).some(({ name }) => name === node.name)) return false;
  if (isVoter(node.id, situation)) return false;
  return node.role === 'controller' || (cluster.load[node.id]?.replicas ?? 0) === 0;
}

function stepsOf(situation: Situation): readonly Step[] {
  const steps = order.flatMap((next) => next(situation) ?? []);
  const act = steps.find((step) => step.act !== 'wait');
  return steps.filter((step) => step === act || (step.act === 'wait' && step.concern !== act?.concern));
}
