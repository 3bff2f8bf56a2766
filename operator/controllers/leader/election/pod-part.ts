import { conditionOf, type LivePod } from '../../../runtime/index.js';
import { leaderLabel } from '../ports/roles.js';

/** The fields of a Pod that an election reads. */
export interface PodPart {
  readonly name: string;
  readonly uid: string;
  /** Undefined until the Pod has an address. */
  readonly address?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly isReady: boolean;
  /** Milliseconds since 1970. Undefined for a Pod that is ready, or never was. */
  readonly notReadySince?: number | undefined;
  /** The Pod is being deleted. */
  readonly isEnding: boolean;
  /** RFC 3339. */
  readonly created: string;
  /** Its labels, without the one that an election sets. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads these fields. A Pod that has ended is none: nothing of it runs. */
export function podPart({ metadata, spec, status }: LivePod): PodPart {
  const ready = conditionOf({ status }, 'Ready');
  const { [leaderLabel]: _, ...labels } = metadata.labels ?? {};
  const isReady = ready?.status === 'True';
  return {
    ...{ name: metadata.name, uid: metadata.uid, address: status?.podIP, nodeName: spec?.nodeName, isReady },
    notReadySince:
      isReady || ready?.lastTransitionTime === undefined ? undefined : Date.parse(ready.lastTransitionTime),
    isEnding: metadata.deletionTimestamp !== undefined,
    created: metadata.creationTimestamp ?? '',
    labels,
  };
}
