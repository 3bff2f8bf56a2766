import type { LiveNode } from '../../../runtime/index.js';

/** What is looked at of a Node. A heartbeat changes none of it, so it wakes no Database. */
export interface NodeState {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its kubelet has been heard of a while ago at the longest. */
  readonly isReady: boolean;
  /** It takes no new pods: somebody is about to drain it. */
  readonly isCordoned: boolean;
}

/** What a Node says of itself. */
export function nodeState({ metadata, spec, status }: LiveNode): NodeState {
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    isReady: status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false,
    isCordoned: spec?.unschedulable ?? false,
  };
}
