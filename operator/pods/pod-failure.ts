import { conditionOf, type LiveContainer, type LivePod, type LiveTermination } from '../runtime/index.js';

/** Waiting reasons of a container that starts normally. */
const usualWaits: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);
/** Waiting reasons of an image that cannot be pulled. The first two alternate for the same failure. */
const imageWaits: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
]);

/** Why a Pod does not run, as the scheduler and the kubelet report it. */
export type PodFailure =
  | { readonly cause: 'Unschedulable'; readonly reason: string; readonly message: string }
  | { readonly cause: 'Image'; readonly container: string; readonly image: string; readonly message: string }
  | { readonly cause: 'Waiting'; readonly container: string; readonly reason: string; readonly message: string }
  | { readonly cause: 'Exited'; readonly container: string; readonly termination: LiveTermination };

/** How the containers of a Pod are read. */
export interface PodReading {
  /** The container that is read first, because it has the cause. @default - the first of the Pod */
  readonly main?: string;
  /** True if a container that exited with 0 has done its work, and none is restarted. @default false - all run for ever */
  readonly completes?: boolean;
}

/** The first reason why a Pod does not run. Undefined if it starts or runs. */
export function podFailureIn(pod: LivePod, reading: PodReading = {}): PodFailure | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') {
    const { reason = '', message = reason } = scheduled;
    return { cause: 'Unschedulable', reason, message };
  }
  const isMain = ({ name }: LiveContainer) => name === reading.main;
  const containers = (pod.status?.containerStatuses ?? []).toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
  return containers.map((one) => containerFailure(one, reading)).find((failure) => failure !== undefined);
}

function containerFailure(
  { name: container, image, state, lastState }: LiveContainer,
  { completes = false }: PodReading,
): PodFailure | undefined {
  const { waiting, terminated } = state ?? {};
  const { reason = '', message = '' } = waiting ?? {};
  if (imageWaits.has(reason)) return { cause: 'Image', container, image, message };
  // Between restarts the container waits with backoff; the last exit has the cause.
  const isBackingOff = reason === 'CrashLoopBackOff' && !completes;
  const termination = terminated ?? (isBackingOff ? lastState?.terminated : undefined);
  if (termination)
    return completes && termination.exitCode === 0 ? undefined : { cause: 'Exited', container, termination };
  return waiting && !usualWaits.has(reason) ? { cause: 'Waiting', container, reason, message } : undefined;
}

/**
 * The reason why a Pod is not ready, as a stable message. Undefined if the Pod reports none.
 * @param podTemplate the field of the resource with the template of the Pod
 */
export function podFailureOf(pod: LivePod, podTemplate = 'spec.podTemplate'): string | undefined {
  const failure = podFailureIn(pod);
  switch (failure?.cause) {
    case 'Unschedulable':
      return `no node can run the Pod: ${failure.message}`;
    case 'Image':
      return `container ${failure.container}: the image ${failure.image} cannot be pulled; fix spec.image, or ${podTemplate}.imagePullSecrets if the registry requires credentials`;
    case 'Exited':
      return said(failure.container, howItEnded(failure.termination), failure.termination.message);
    case 'Waiting':
      return said(failure.container, failure.reason, failure.message);
    case undefined:
      return undefined;
  }
}

/** Patroni always exits with 0, which would contradict a termination message, so the code is omitted then. */
function howItEnded({ exitCode, message }: LiveTermination): string {
  return exitCode === 0 && message?.trim() ? '' : `exited with code ${exitCode}`;
}

function said(container: string, what: string, message = ''): string {
  const parts = [what, message.trim()].filter((part) => part !== '');
  return `container ${container}: ${parts.join(', ')}`;
}
