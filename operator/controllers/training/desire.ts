import { type ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  TrainingClaim,
  TrainingSharedObjects,
  TrainingToken,
  TrainingWorkerPod,
  trainingObjectNames,
  trainingPodName,
  trainingRevision,
} from '../../../src/index.js';
import { applyClaimPolicy } from '../../members/index.js';
import { rejectBelow, requestFor } from '../../pods/claim-sizes.js';
import {
  allowRejection,
  createOnly,
  Deployment,
  ExternalCall,
  PersistentVolumeClaim,
  Pod,
  pollValueOf,
} from '../../runtime/index.js';
import { demandOf } from './gang/demand.js';
import { awaitedIn } from './job/ending.js';
import { type Plan, planOf } from './plan/index.js';
import type { PodPlan } from './plan/step.js';
import { addressOf, tokenIn } from './polls.js';
import { coordinator } from './ports/coordinator.js';
import { situationOf } from './situation.js';
import { avoidAnnotation, incarnationAnnotation, revisionAnnotation, type TrainingView, workersOf } from './view.js';

/** The name of the call with which a plan changes the coordinator. */
export const coordinatorCall = 'coordinator';

/** Renders the objects that a TrainingJob needs next, and the change of the coordinator that is due. */
export function desire(scope: Construct, view: TrainingView): void {
  const { resource } = view;
  const { metadata, spec, status } = resource;
  if (metadata.deletionTimestamp !== undefined) return;
  const claim = renderClaim(scope, view);
  const token = renderToken(scope, view);
  const situation = situationOf(view);
  const { name, namespace = '' } = metadata;
  const image = coordinatorImage(view);
  // Programs that are about to end may need the coordinator until then.
  const hasEnded = status?.completionTime !== undefined && awaitedIn(situation).length === 0;
  const demand = demandOf(view, situation.memory);
  const plan = planOf(situation, demand);
  // Under a quota, the Pod of its coordinator would keep another job from starting.
  const isHeldBack = plan.isShort === true && plan.pods.length === 0 && status?.startTime === undefined;
  const isShared = !hasEnded && !isHeldBack;
  const shared = isShared ? [new TrainingSharedObjects(scope, 'training', { ...spec, image, name, namespace })] : [];
  // Without a token, the containers could not start.
  if (spec.recovery === 'InPlace' && !token) return;
  const first = [...shared, ...(claim ? [claim] : []), ...(token ? [token] : [])];
  for (const one of plan.pods) {
    const pod = renderPod(scope, {
      one,
      view,
      revision: situation.revision,
      incarnation: situation.memory.incarnation,
    });
    pod.node.addDependency(...first);
  }
  renderCall(scope, view, plan);
}

interface WithTemplate {
  readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly { image?: string }[] } } };
}

/**
 * The image of the coordinator. While workers of another content run, they are asked through it to write a checkpoint, so it
 * keeps the image that it has: a new one may take minutes to be pulled, or not exist.
 */
function coordinatorImage(view: TrainingView): string {
  const { resource, owned } = view;
  const { metadata, spec } = resource;
  const { name, namespace = '', uid } = metadata;
  const revision = trainingRevision({ name, namespace, uid, spec });
  const isChanging = workersOf(view).some((one) => !one.isEnding && one.revision !== revision);
  if (!isChanging) return spec.image;
  const { coordinator: deployment } = trainingObjectNames(name);
  const live = owned.of(Deployment).find((one) => one.metadata.name === deployment) as WithTemplate | undefined;
  return live?.spec?.template?.spec?.containers?.[0]?.image ?? spec.image;
}

function renderClaim(scope: Construct, { resource, owned }: TrainingView): Construct | undefined {
  const { metadata, spec } = resource;
  const { size, storageClassName } = spec.checkpoint ?? {};
  if (size === undefined) return undefined;
  const { checkpoints } = trainingObjectNames(metadata.name);
  const live = owned.of(PersistentVolumeClaim).find((one) => one.metadata.name === checkpoints);
  const otherwise = 'name another PersistentVolumeClaim in a new TrainingJob';
  rejectBelow({ field: 'spec.checkpoint.size', size, otherwise }, live ? [live] : []);
  const { claim } = new TrainingClaim(scope, 'checkpoints', {
    ...{ name: metadata.name, namespace: metadata.namespace, size: requestFor(size, live), storageClassName },
  });
  applyClaimPolicy(claim, { live, remedy: 'set spec.checkpoint.size to what the volume has' });
  return claim;
}

function renderToken(scope: Construct, view: TrainingView): Construct | undefined {
  const { resource, polled } = view;
  const { metadata, spec } = resource;
  if (spec.recovery !== 'InPlace') return undefined;
  const token = tokenIn(view) ?? pollValueOf(polled.drawn)?.['token'];
  if (token === undefined) return undefined;
  return new TrainingToken(scope, 'token', { name: metadata.name, namespace: metadata.namespace, token });
}

interface PodProps {
  readonly one: PodPlan;
  readonly view: TrainingView;
  readonly revision: string;
  readonly incarnation: number;
}

function renderPod(scope: Construct, { one, view, revision, incarnation }: PodProps): ApiObject {
  const { resource, reads } = view;
  const { metadata, spec } = resource;
  const { name, namespace, uid } = metadata;
  const worker = { index: one.index, attempt: one.attempt };
  const { pod } = new TrainingWorkerPod(scope, `pod-${trainingPodName(name, worker)}`, {
    ...{ name, namespace, uid, spec, worker, gated: one.isGated, sharesVolume: reads.isShared ?? false },
    ...{ avoid: one.avoid ?? [], domain: one.domain },
  });
  pod.metadata.addAnnotation(revisionAnnotation, revision);
  pod.metadata.addAnnotation(incarnationAnnotation, String(incarnation));
  if (one.avoid?.length) pod.metadata.addAnnotation(avoidAnnotation, one.avoid.join(','));
  // The others can go on without it, and the status tells why it is missing.
  allowRejection(pod, 'change spec.workers, spec.resources or spec.podTemplate', { holdsUp: false });
  if (one.act === 'open') keepAdmitted(pod, view, trainingPodName(name, worker));
  // Only a Pod whose gate opens changes: the rest of it is the same as when it was created.
  else createOnly(pod);
  return pod;
}

interface Tolerating {
  readonly spec: { readonly tolerations?: readonly unknown[] };
}

/** The mark of the runtime on an object that it creates once, and does not change afterwards. */
const onceAnnotation = 'reconstruct.dev/once';

/** Admission adds tolerations to a Pod, and none can be removed. After the gate, the Pod does not change again. */
function keepAdmitted(pod: ApiObject, { owned }: TrainingView, name: string): void {
  const live = owned.of(Pod).find(({ metadata }) => metadata.name === name);
  const tolerations = (live as Tolerating | undefined)?.spec.tolerations;
  if (tolerations) pod.addJsonPatch(JsonPatch.add('/spec/tolerations', tolerations));
  const once = live?.metadata.annotations?.[onceAnnotation];
  if (once !== undefined) pod.metadata.addAnnotation(onceAnnotation, once);
}

function renderCall(scope: Construct, { resource }: TrainingView, { call }: Plan): void {
  if (!call) return;
  new ExternalCall(scope, coordinatorCall, {
    ...{ port: coordinator, request: { ...addressOf(resource), ...call }, refreshes: ['coordinator'] },
    secret: trainingObjectNames(resource.metadata.name).token,
  });
}
