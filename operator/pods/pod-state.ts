import type { LiveObject, LivePod } from '../runtime/index.js';
import { isReady } from './is-ready.js';

/**
 * The state of a Pod in one word for people, such as `Ready`, `Terminating`, `CrashLoopBackOff` or `Pending`. Undefined
 * if there is no Pod, or its kubelet has not reported yet.
 */
export function podState(pod: LivePod | undefined): string | undefined {
  if (pod?.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const waiting = pod?.status?.containerStatuses?.map(({ state }) => state?.waiting?.reason).find(Boolean);
  return waiting ?? (pod && isReady(pod) ? 'Ready' : pod?.status?.phase);
}

/** The restarts of the container that has restarted most. Undefined if no container has started. */
export function restartsOf(pod: LivePod | undefined): number | undefined {
  const counts = pod?.status?.containerStatuses?.map(({ restartCount = 0 }) => restartCount) ?? [];
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/** The Pod with a name among the objects of a resource. */
export function podNamed(objects: readonly LiveObject[], name: string): LivePod | undefined {
  return objects.find(({ kind, metadata }) => kind === 'Pod' && metadata.name === name) as LivePod | undefined;
}
