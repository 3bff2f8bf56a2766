import type { LeaderElectionResource } from '../../../imports/index.js';
import { olderFirst } from '../../runtime/index.js';
import type { PodPart } from './election/pod-part.js';

/** An election that may select the same Pods. */
export interface RivalPart {
  readonly namespace: string;
  readonly name: string;
  readonly creationTimestamp?: string | undefined;
  readonly selector: Readonly<Record<string, string>>;
}

/** The fields of an election that decide whether it selects a Pod. */
export function rivalPart({ metadata, spec }: LeaderElectionResource): RivalPart {
  const { namespace = '', name, creationTimestamp } = metadata;
  return { namespace, name, creationTimestamp, selector: spec.selector };
}

/**
 * The oldest other election that selects a Pod of this one. Two elections would give that Pod two roles, and each would fence
 * the leader of the other. So only the older one acts.
 */
export function rivalOf(
  { metadata }: Pick<LeaderElectionResource, 'metadata'>,
  { rivals, pods }: { readonly rivals: readonly RivalPart[]; readonly pods: readonly Pick<PodPart, 'labels'>[] },
): string | undefined {
  const { namespace = '', name, creationTimestamp } = metadata;
  const [first] = rivals
    .filter((one) => olderFirst(one, { namespace, name, creationTimestamp }) < 0)
    .filter(({ selector }) => pods.some(({ labels }) => isSelected(labels, selector)))
    .toSorted(olderFirst);
  return first?.name;
}

function isSelected(labels: PodPart['labels'], selector: RivalPart['selector']): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
