import type { LiveContainer, LivePod, LiveTermination } from '../../runtime/index.js';

/** What a container is on its way through without anything being wrong. */
const usual: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);
/** Two words by turns for the same: that there is no such image, or nobody who gives it. */
const imageless: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName']);
const advice = 'mend spec.image, or spec.imagePullSecrets if its registry asks who pulls';

/**
 * Why a pod does not get ready, in words for people that stay the same while the reason does; undefined where nothing
 * tells.
 */
export function troubleOf({ status }: LivePod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node takes it: ${scheduled.message ?? scheduled.reason ?? ''}`;
  return status?.containerStatuses?.map(stuckAt).find((trouble) => trouble !== undefined);
}

function stuckAt({ name, image, state, lastState }: LiveContainer): string | undefined {
  const { waiting, terminated } = state ?? {};
  const reason = waiting?.reason ?? '';
  if (waiting && imageless.has(reason)) return `container ${name}: its image ${image} cannot be pulled; ${advice}`;
  // Between two starts it waits, ever longer: what matters is how it ended.
  const ended = terminated ?? (reason === 'CrashLoopBackOff' ? lastState?.terminated : undefined);
  if (ended) return said(name, howItEnded(ended), ended.message);
  return waiting && !usual.has(reason) ? said(name, reason || 'waiting', waiting.message) : undefined;
}

/** Patroni ends with 0 whatever came to pass: beside a reason that would say that all is well. */
function howItEnded({ exitCode, message }: LiveTermination): string {
  return exitCode === 0 && message?.trim() ? '' : `ended with exit code ${exitCode}`;
}

function said(container: string, what: string, message = ''): string {
  const parts = [what, message.trim()].filter((part) => part !== '');
  return `container ${container}: ${parts.join(', ')}`;
}
