import type { LiveContainer, LivePod } from '../../runtime/index.js';

/** What a container is on its way through without anything being wrong. */
const usual: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Why a pod does not get ready, in words for people; undefined where nothing tells. */
export function troubleOf({ status }: LivePod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node takes it: ${scheduled.message ?? scheduled.reason ?? ''}`;
  return status?.containerStatuses?.map(stuckAt).find((trouble) => trouble !== undefined);
}

function stuckAt({ name, state }: LiveContainer): string | undefined {
  const { waiting, terminated } = state ?? {};
  if (waiting && !usual.has(waiting.reason ?? '')) return said(name, waiting.reason, waiting.message);
  if (terminated) return said(name, terminated.reason ?? `exit code ${terminated.exitCode}`, terminated.message);
  return undefined;
}

function said(container: string, reason = 'waiting', message = ''): string {
  return `container ${container}: ${reason}${message === '' ? '' : `, ${message.trim()}`}`;
}
