import {
  type StartingPodsAnswer,
  type StartingPodsQuestion,
  startingPods,
} from '../../controllers/algorithm/ports/starting-pods.js';
import { selectorOf } from '../../runtime/controller/reads.js';
import { type LiveCondition, type LiveContainer, type LivePod, Pod } from '../../runtime/kubernetes/kinds.js';
import { type Clock, systemClock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { boundedPages } from './bounded-pages.js';

/** Maximum number of Pods to check. Of more Pods, these are a sufficient sample. */
const most = 50;
/** Maximum number of characters of a message from another component. */
const longest = 200;

/** The source for the causes why Pods are not ready. */
export function startingPodsFrom(
  cluster: Pick<Cluster, 'list'>,
  { clock = systemClock }: { readonly clock?: Pick<Clock, 'now'> } = {},
): Provided {
  return provided(startingPods, async ({ namespace, labels }: StartingPodsQuestion, { signal }) => {
    const query = { namespace, labelSelector: selectorOf(labels), signal };
    const reasons: string[] = [];
    for await (const some of boundedPages(most, { cluster, kind: Pod }, query))
      reasons.push(...hindrancesOf(some as readonly LivePod[], clock.now()));
    return { why: mostlyIn(reasons) };
  });
}

/**
 * The most frequent cause why Pods are not ready; stable while nothing changes.
 * @param now milliseconds since 1970
 */
export function hindranceOf(pods: readonly LivePod[], now = 0): StartingPodsAnswer {
  return { why: mostlyIn(hindrancesOf(pods, now)) };
}

function hindrancesOf(pods: readonly LivePod[], now: number): readonly string[] {
  return pods.filter(isStarting).flatMap((pod) => reasonOf(pod, now) ?? []);
}

function mostlyIn(reasons: readonly string[]): string {
  const times = (reason: string) => reasons.filter((one) => one === reason).length;
  const [why = ''] = reasons.toSorted((a, b) => times(b) - times(a) || (a < b ? -1 : 1));
  return why;
}

function isStarting({ metadata, status }: LivePod): boolean {
  // An evicted Pod has failed for good, and others replace it.
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  return metadata.deletionTimestamp === undefined && conditionOf(status, 'Ready')?.status !== 'True';
}

function conditionOf(status: LivePod['status'], type: string): LiveCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function reasonOf(pod: LivePod, now: number): string | undefined {
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  if (scheduled?.status === 'False') return `no node accepts the Pod: ${shortened(scheduled.message)}`;
  const reasons = containersOf(pod).flatMap((one) => reasonOfContainer(one) ?? []);
  return reasons[0] ?? (isUnmounted(pod, now) ? unmounted : undefined);
}

/** A Pod with its init containers. */
type StartingPod = LivePod & { readonly status?: { readonly initContainerStatuses?: readonly LiveContainer[] } };

/** The container of a Pod, and what it is called in a message. */
interface Named {
  readonly container: LiveContainer;
  readonly noun: string;
  readonly image: string;
}

/** The main container first, because it has the cause more often than one that others inject. */
function containersOf({ spec, status }: StartingPod): readonly Named[] {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const [main] = spec.containers;
  const isMain = ({ name }: LiveContainer) => name === main?.name;
  const all = [...containerStatuses.filter(isMain), ...initContainerStatuses, ...containerStatuses];
  return [...new Set(all)].map((container) =>
    isMain(container) && main
      ? { container, noun: 'the container', image: main.image }
      : {
          container,
          noun: `${initContainerStatuses.includes(container) ? 'init container' : 'container'} ${container.name}`,
          image: container.image,
        },
  );
}

/** A crashing container is waiting, running and terminated in turn, so its last termination counts. */
function reasonOfContainer({ container, noun, image }: Named): string | undefined {
  const { state, lastState, ready } = container;
  const { reason = '', message } = state?.waiting ?? {};
  // An init container that has done its work is ready, too.
  if (ready) return undefined;
  if (unpulled.has(reason)) return `the image ${image} cannot be pulled`;
  if (reason.startsWith('Create') || reason.startsWith('Run'))
    return `${noun} cannot be created: ${shortened(message)}`;
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended?.reason === 'OOMKilled') return `${noun} exceeds its memory limit`;
  if (ended) return `${noun} exits with code ${ended.exitCode}`;
  if (!state?.running) return undefined;
  return noun.startsWith('init') ? `${noun} has not completed` : `${noun} is running but does not pass its probe`;
}

/** Milliseconds in which the volumes and the network of a Pod are usually ready. */
const mounted = 15_000;

const unmounted =
  'its volumes or its network are not ready; check with kubectl describe pod whether each Secret, ConfigMap and volume exists';

/**
 * True if a node has accepted a Pod and cannot prepare it. The status of the Pod does not have the cause.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-has-network
 */
function isUnmounted({ status }: LivePod, now: number): boolean {
  const prepared = conditionOf(status, 'PodReadyToStartContainers');
  return prepared?.status === 'False' && now - Date.parse(prepared.lastTransitionTime ?? '') >= mounted;
}

/** The kubelet alternates between the first two. */
const unpulled = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);

function shortened(message = 'no reason is reported'): string {
  const [first = message] = message.split(/\.\s/);
  return first.length > longest ? `${first.slice(0, longest)}…` : first;
}
