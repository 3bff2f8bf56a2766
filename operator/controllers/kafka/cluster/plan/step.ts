import type { KafkaAccess } from '../../../../kafka/access.js';
import { type AddStep, type CallStep, type MemberStep, type WaitStep, waitStep } from '../../../../members/index.js';
import type { ClusterRequest } from '../../ports/cluster.js';
import type { KafkaNode } from '../nodes/nodes.js';

export { waitStep };

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A request of a plan, without how the cluster and its nodes are reached. */
export type Act = Without<
  Exclude<ClusterRequest, { readonly act: 'reload' | 'refuseLogins' | 'allowLogins' | 'markTopics' }>,
  keyof KafkaAccess | 'address'
>;

/**
 * A step of the plan. Missing Pods are created beside it.
 * - `replace`: deletes the Pod and recreates it on the same PVC.
 * - `stop`: deletes the Pod of a node that leaves.
 * - `retire`: labels the PVC of a node that has left, or whose machine is lost.
 * - `call`: asks the brokers or controllers to change something.
 * - `add`: creates nodes.
 * - `wait`: does nothing until a fact changes.
 */
export type Step =
  | AddStep<Concern>
  | KafkaWait
  | {
      readonly act: 'replace' | 'stop' | 'retire';
      readonly concern: Concern;
      readonly node: KafkaNode;
      readonly why: string;
    }
  | CallStep<Act, Concern>;

interface KafkaWait extends WaitStep<Concern> {
  /** The operator does not go on until a person changes something. */
  readonly isRefusal?: boolean;
  /** The broker whose restart has to be in the status before it begins. */
  readonly announces?: KafkaNode;
}

/** The subject of a step, which selects the condition that reports it. */
export type Concern =
  | 'controllers'
  | 'provision'
  | 'lost'
  | 'quorum'
  | 'removal'
  | 'update'
  | 'balance'
  | 'config'
  | 'finalization'
  | 'unclean';

/** A step that the operator does not take until a person changes something. */
export function refuse(concern: Concern, why: string): Step {
  return { act: 'wait', concern, why, isRefusal: true };
}

/** A step of a rule that all kinds share, in the words of a KafkaCluster. */
export function onNode(step: MemberStep<KafkaNode, Concern> | WaitStep<Concern> | undefined): Step | undefined {
  if (!step || step.act === 'wait') return step;
  const { member: node, ...rest } = step;
  return { ...rest, node };
}
