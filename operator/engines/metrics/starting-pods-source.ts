import {
  type StartingPodsAnswer,
  type StartingPodsQuestion,
  startingPods,
} from '../../controllers/algorithm/ports/starting-pods.js';
import { selectorOf } from '../../runtime/controller/reads.js';
import { type LiveCondition, type LiveContainer, type LivePod, Pod } from '../../runtime/kubernetes/kinds.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { boundedPages } from './bounded-pages.js';

/** Maximum number of Pods to check. Of more Pods, these are a sufficient sample. */
const most = 50;
/** Maximum number of characters of a message from another component. */
const longest = 200;

/** The source for the causes why Pods are not ready. */
export function startingPodsFrom(cluster: Pick<Cluster, 'list'>): Provided {
  return provided(startingPods, async ({ namespace, labels }: StartingPodsQuestion, { signal }) => {
    const query = { namespace, labelSelector: selectorOf(labels), signal };
    const reasons: string[] = [];
    for await (const some of boundedPages(most, { cluster, kind: Pod }, query))
      reasons.push(...hindrancesOf(some as readonly LivePod[]));
    return { why: mostlyIn(reasons) };
  });
}

/** The most frequent cause why Pods are not ready; stable while nothing changes. */
export function hindranceOf(pods: readonly LivePod[]): StartingPodsAnswer {
  return { why: mostlyIn(hindrancesOf(pods)) };
}

function hindrancesOf(pods: readonly LivePod[]): readonly string[] {
  return pods.filter(isStarting).flatMap((pod) => reasonOf(pod) ?? []);
}

function mostlyIn(reasons: readonly string[]): string {
  const times = (reason: string) => reasons.filter((one) => one === reason).length;
  const [why = ''] = reasons.toSorted((a, b) => times(b) - times(a) || (a < b ? -1 : 1));
  return why;
}

function isStarting({ metadata, status }: LivePod): boolean {
  return metadata.deletionTimestamp === undefined && conditionOf(status, 'Ready')?.status !== 'True';
}

function conditionOf(status: LivePod['status'], type: string): LiveCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function reasonOf({ spec, status }: LivePod): string | undefined {
  const scheduled = conditionOf(status, 'PodScheduled');
  if (scheduled?.status === 'False') return `no node accepts the Pod: ${shortened(scheduled.message)}`;
  const [container] = status?.containerStatuses ?? [];
  if (!container) return undefined;
  return reasonOfContainer(container, spec.containers[0]?.image ?? container.image);
}

/** A crashing container is waiting, running and terminated in turn, so its last termination counts. */
function reasonOfContainer({ state, lastState }: LiveContainer, image: string): string | undefined {
  const { reason = '', message } = state?.waiting ?? {};
  if (unpulled.has(reason)) return `the image ${image} cannot be pulled`;
  if (reason.startsWith('Create') || reason.startsWith('Run'))
    return `the container cannot be created: ${shortened(message)}`;
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended?.reason === 'OOMKilled') return 'the container exceeds its memory limit';
  if (ended) return `the container exits with code ${ended.exitCode}`;
  return state?.running ? 'the container is running but does not pass its probe' : undefined;
}

/** The kubelet alternates between the first two. */
const unpulled = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);

function shortened(message = 'no reason is reported'): string {
  const [first = message] = message.split(/\.\s/);
  return first.length > longest ? `${first.slice(0, longest)}…` : first;
}
