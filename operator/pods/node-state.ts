import type { LiveNode } from '../runtime/index.js';
import { isReady } from './is-ready.js';

/** The fields of a Node that the controller reads. A heartbeat changes none of them, so it triggers no reconcile. */
export interface NodeState {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The Node condition Ready is True. */
  readonly isReady: boolean;
  /** The Node is cordoned, or an autoscaler drains it. */
  readonly isCordoned: boolean;
}

/**
 * Taints of nodes that an autoscaler removes. It evicts their Pods and need not cordon them.
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
const drains: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
]);

/** Reads these fields of a Node. */
export function nodeState({ metadata, spec, status }: LiveNode): NodeState {
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    isReady: isReady({ status }),
    isCordoned: (spec?.unschedulable ?? false) || (spec?.taints?.some(({ key }) => drains.has(key)) ?? false),
  };
}
