import { podFailureIn } from '../../../operator/pods/pod-failure.js';
import type { LiveContainer, LivePod } from '../../../operator/runtime/kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { healthOf } from '../../status/health.js';
import { counted, type Finding, findingsOf } from './finding.js';
import type { Reading } from './reading.js';

/** A Pod, and the object from which its resource follows: the Pod itself, or its Deployment or Job. */
export interface ManagedPod {
  readonly pod: LivePod;
  readonly managed: LiveObject;
}

const { ok, problem, unknown } = findingsOf('pods');

/** Findings that are shown. */
const shown = 10;

/** Which Pods of resources cannot pull their images: a finding for each image of a resource. */
export function imageFindings(readings: readonly Reading<readonly ManagedPod[]>[]): readonly Finding[] {
  const hidden = new Set(readings.flatMap((one) => ('missing' in one ? [one.missing] : [])));
  const pods = readings.flatMap((one) => ('value' in one ? one.value : []));
  const failing = new Map<string, { readonly message: string; readonly pods: Set<string> }>();
  for (const { pod, managed } of pods)
    for (const { image, message } of failedImages(pod)) {
      const key = `${ownerOf(managed)}: the image ${image} cannot be pulled`;
      const entry = failing.get(key) ?? { message, pods: new Set<string>() };
      entry.pods.add(pod.metadata.name);
      failing.set(key, entry);
    }
  const problems = [...failing].map(([what, { message, pods: names }]) =>
    problem(`${what} by ${counted(names.size, 'Pod')}${message === '' ? '' : `: ${message}`}`, remedy),
  );
  const more = problems.length - shown;
  return [
    ...problems.slice(0, shown),
    ...(more > 0 ? [problem(`${counted(more, 'more image')} cannot be pulled`, remedy)] : []),
    ...[...hidden].map((missing) => unknown('The images of Pods', missing)),
    ...(problems.length + hidden.size === 0 ? [ok('No Pod of a resource fails to pull its image')] : []),
  ];
}

const remedy =
  'Push the image to a registry that the nodes reach, and set --image-registry or --image-pull-secrets of the operator, ' +
  'or the image and podTemplate.imagePullSecrets of the resource (docs/operator/images.md)';

/** The parts of a Deployment, DaemonSet, StatefulSet or Job that show whether each of its Pods runs as desired. */
interface Rollout extends LiveObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
  };
}

/** Whether a Pod of an object may fail, also beside earlier Pods that still serve during a rollout. */
export function mayFail(object: LiveObject): boolean {
  if (healthOf(object).state === 'NotReady') return true;
  const { spec, status = {} } = object as Rollout;
  const { replicas = 0, updatedReplicas = replicas, unavailableReplicas = 0 } = status;
  const { desiredNumberScheduled = 0, updatedNumberScheduled = desiredNumberScheduled } = status;
  const isRolling = updatedReplicas < (spec?.replicas ?? replicas) || replicas > (spec?.replicas ?? replicas);
  return isRolling || unavailableReplicas > 0 || updatedNumberScheduled < desiredNumberScheduled;
}

interface WithInitContainers {
  readonly status?: { readonly initContainerStatuses?: readonly LiveContainer[] };
}

/** Each container is read alone, because another one of the Pod may fail for another reason. */
function failedImages(pod: LivePod): readonly { readonly image: string; readonly message: string }[] {
  const { initContainerStatuses = [] } = (pod as WithInitContainers).status ?? {};
  const containers = [...initContainerStatuses, ...(pod.status?.containerStatuses ?? [])];
  return containers.flatMap((one) => {
    const failure = podFailureIn({ ...pod, status: { containerStatuses: [one] } });
    return failure?.cause === 'Image' ? [{ image: failure.image, message: failure.message }] : [];
  });
}

/** The resource that controls an object, or else the object. */
function ownerOf(object: LiveObject): string {
  const { namespace } = object.metadata;
  const owner = controllerOf(object);
  if (!owner) return `${object.kind} ${keyOf(object.metadata)}`;
  return `${owner.kind} ${keyOf({ name: owner.name, ...(namespace !== undefined && { namespace }) })}`;
}
