import type { KafkaAccess } from '../../../../kafka/access.js';
import type { ClusterRequest } from '../../ports/cluster.js';
import type { KafkaNode } from '../nodes/nodes.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A request of a plan, without how the cluster and its nodes are reached. */
export type Act = Without<Exclude<ClusterRequest, { readonly act: 'reload' }>, keyof KafkaAccess | 'address'>;

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
  | {
      readonly act: 'wait' | 'add';
      readonly concern: Concern;
      readonly why: string;
      readonly isRefusal?: boolean;
      /** The broker whose restart has to be in the status before it begins. */
      readonly announces?: KafkaNode;
    }
  | {
      readonly act: 'replace' | 'stop' | 'retire';
      readonly concern: Concern;
      readonly node: KafkaNode;
      readonly why: string;
    }
  | { readonly act: 'call'; readonly concern: Concern; readonly request: Act; readonly why: string };

/** The subject of a step, which selects the condition that reports it. */
export type Concern =
  | 'provision'
  | 'lost'
  | 'quorum'
  | 'removal'
  | 'update'
  | 'balance'
  | 'config'
  | 'finalization'
  | 'unclean';

/** A step that waits for a fact or an event. */
export function wait(concern: Concern, why: string): Step {
  return { act: 'wait', concern, why };
}

/** A step that the operator does not take until a person changes something. */
export function refuse(concern: Concern, why: string): Step {
  return { act: 'wait', concern, why, isRefusal: true };
}
