import type { LiveContainer, LivePod, LiveTermination } from '../runtime/index.js';

/** Waiting reasons of a container that starts normally. */
export const usualWaits: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);
/** Waiting reasons that alternate for the same failure to pull an image. */
export const imageWaits: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName']);

/**
 * The reason why a Pod is not ready, as a stable message. Undefined if the Pod reports none.
 * @param podTemplate the field of the resource with the template of the Pod
 */
export function podFailureOf({ status }: LivePod, podTemplate = 'spec.podTemplate'): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node can run the Pod: ${scheduled.message ?? scheduled.reason ?? ''}`;
  return status?.containerStatuses?.map((one) => stuckAt(one, podTemplate)).find((trouble) => trouble !== undefined);
}

function stuckAt({ name, image, state, lastState }: LiveContainer, podTemplate: string): string | undefined {
  const { waiting, terminated } = state ?? {};
  const reason = waiting?.reason ?? '';
  if (waiting && imageWaits.has(reason))
    return `container ${name}: the image ${image} cannot be pulled; fix spec.image, or ${podTemplate}.imagePullSecrets if the registry requires credentials`;
  // Between restarts the container waits with backoff; the last exit has the cause.
  const ended = terminated ?? (reason === 'CrashLoopBackOff' ? lastState?.terminated : undefined);
  if (ended) return said(name, howItEnded(ended), ended.message);
  return waiting && !usualWaits.has(reason) ? said(name, reason || 'waiting', waiting.message) : undefined;
}

/** Patroni always exits with 0, which would contradict a termination message, so the code is omitted then. */
function howItEnded({ exitCode, message }: LiveTermination): string {
  return exitCode === 0 && message?.trim() ? '' : `exited with code ${exitCode}`;
}

function said(container: string, what: string, message = ''): string {
  const parts = [what, message.trim()].filter((part) => part !== '');
  return `container ${container}: ${parts.join(', ')}`;
}
