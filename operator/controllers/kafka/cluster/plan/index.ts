import { actingStep, type Change, isMeant, keptMembers, stepsOf } from '../../../../members/index.js';
import { isRetired, type KafkaNode } from '../nodes/nodes.js';
import { isVoter, type Situation, surplusIn } from '../situation.js';
import { balance } from './balance.js';
import { configuration } from './configuration.js';
import { drained } from './drain.js';
import { uncleanElection } from './elections.js';
import { finalization } from './finalization.js';
import { lost } from './lost-volume.js';
import { isHeldBack, missing, missingControllers, missingIn } from './missing-nodes.js';
import { formerControllers, leaving } from './removal.js';
import { outdated, repair } from './rollout.js';
import type { Step } from './step.js';
import { voters } from './voters.js';

export { emptyBrokers } from './balance.js';
export { leavingIds } from './drain.js';
export { illnessOf, isLoading } from './health.js';
export { isHeadless } from './missing-nodes.js';
export { isOutdated, restartDue } from './outdated.js';
export { reloadIn } from './reload.js';
export { openHook, restartsIn, targetOf } from './restart.js';
export type { Act, Concern, Step } from './step.js';

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

/** The rules in order of safety: what only a person can judge, steps without cost, steps that restore redundancy, and last the steps that reduce it. */
const rules = [
  missingControllers,
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
  const steps = stepsOf(rules, situation);
  const step = actingStep(steps);
  const change = changeOf(step);
  const fresh = step?.act === 'add' ? missingIn(situation) : [];
  const kept = keptMembers(situation.nodes, {
    ...{ change, stops: ['replace', 'stop', 'retire'], isRetired },
    staysStopped: (node) => isStoppedForGood(node, situation) || isHeldBack(node, situation),
    // It has left the cluster: the label on the PVC is the proof.
    isReleased: ({ retired, pod }) => retired === 'removed' && pod === 'none' && !situation.keepsRemoved,
  });
  const claims = kept.claims.map((node) => ({
    ...partOf(node),
    retired: isMeant(node, change, 'retire') ? causeOf(step) : node.retired,
  }));
  return { pods: [...kept.pods.map(partOf), ...fresh], claims: [...claims, ...fresh], steps };
}

function changeOf(step: Step | undefined): Change | undefined {
  return step && 'node' in step ? { act: step.act, member: step.node } : undefined;
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
