import type { Construct } from 'constructs';
import type { DatabaseResource } from '../../../imports/index.js';
import {
  DatabaseArchive,
  DatabaseClaim,
  DatabasePod,
  DatabaseSharedObjects,
  instanceImage,
} from '../../../src/index.js';
import { applyClaimPolicy, claimSize, revisionAnnotation } from '../../members/index.js';
import { requestIn } from '../../pods/claim-sizes.js';
import {
  allowRecreation,
  allowRejection,
  createOnly,
  type LivePersistentVolumeClaim,
  pollValueOf,
  Secret,
} from '../../runtime/index.js';
import { assertArchiveIsFree } from './archive/archive-claims.js';
import { type Bootstrap, bootstrapOf, isBootstrapping } from './bootstrap.js';
import { staysUp } from './deletion/index.js';
import { leavingAnnotation, parametersAnnotation, quarantinedLabel } from './instances/instances.js';
import type { ClaimPlan, Plan } from './plan/index.js';
import { nextOf } from './plan/shutdown.js';
import { knownSecrets, renderSecrets } from './secrets.js';
import { markOf, type Situation, situationOf } from './situation.js';
import { claimsIn, type DatabaseView } from './view.js';
import { rejectionRemedy, rejectShrinking, withPresentSize } from './volumes/volume-sizes.js';

/** What a person can do in the spec if the API server rejects the Pod of an instance, as the end of a message. */
const podRemedy = 'lower spec.replicas or spec.resources, or change spec.podTemplate';

/** Renders the objects that a Database needs next. */
export function desire(scope: Construct, view: DatabaseView): void {
  const { resource, owned, reads, polled } = view;
  const { metadata, spec } = resource;
  const { name } = metadata;
  if (metadata.deletionTimestamp !== undefined && !staysUp(resource)) return;
  if (metadata.deletionTimestamp === undefined) assertArchiveIsFree(resource, reads.archiveClaimants);
  rejectShrinking(resource, [...claimsIn(view), ...reads.claims]);
  const { credentials } = polled;
  const drawn = pollValueOf(credentials);
  const known = knownSecrets(name, owned.of(Secret));
  const isOpen = renderSecrets(scope, { name, bootstrap: spec.bootstrap, known, drawn });

  const situation = situationOf(view);
  const plan = nextOf(resource, situation);
  const restored = bootstrapOf(resource, reads);
  const claims = claimsIn(view);
  const pods = isOpen ? plan.pods : plan.pods.filter((pod) => isThere(pod, situation));
  const database = new DatabaseSharedObjects(scope, 'database', {
    ...withPresentSize(resource, claims),
    name,
    instances: writersIn(plan.pods, situation),
    restored,
  });
  if (plan.from !== undefined) database.failover.metadata.addAnnotation('leader', plan.from);

  const made = pods.map((instance): InstancePod => {
    const { pod } = new DatabasePod(scope, `pod-${instance}`, {
      ...{ name, instance, spec, image: instanceImage(spec), restored: restored?.source },
    });
    pod.metadata.addAnnotation(revisionAnnotation, situation.revision);
    pod.metadata.addAnnotation(parametersAnnotation, markOf(situation));
    createOnly(pod);
    // The others serve without it, and each step follows from the Pods that are seen, not from those that are desired.
    allowRejection(pod, podRemedy, { holdsUp: false });
    return { instance, pod };
  });
  if (isBootstrapping(resource)) renderArchive(scope, resource, restored);
  for (const claim of plan.claims) renderClaim(scope, { claim, resource, claims, database, made });
}

/** Serves an archive that no other Pod serves, until an instance has restored from it. */
function renderArchive(scope: Construct, { metadata, spec }: DatabaseResource, beginning: Bootstrap | undefined): void {
  if (beginning?.claim === undefined) return;
  const { name } = metadata;
  const { pod } = new DatabaseArchive(scope, 'archive', {
    ...{ name, claim: beginning.claim, image: instanceImage(spec), spec },
  });
  allowRecreation(pod);
  allowRejection(pod, 'change spec.podTemplate', { holdsUp: false });
}

function isThere(name: string, { instances }: Situation): boolean {
  return instances.some((instance) => instance.name === name && instance.pod === 'there');
}

/** Includes instances that are stopping: Patroni annotates its Pod when it has stopped. */
function writersIn(pods: Plan['pods'], { instances }: Situation): readonly string[] {
  const leaving = instances.filter(({ name, pod }) => pod !== 'none' && !pods.includes(name)).map(({ name }) => name);
  return [...pods, ...leaving].toSorted();
}

/** The Pod of an instance. */
interface InstancePod {
  readonly instance: string;
  readonly pod: Construct;
}

interface Volume {
  readonly claim: ClaimPlan;
  readonly resource: DatabaseResource;
  /** The existing PVCs. */
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** The objects that all instances share. */
  readonly database: Construct;
  readonly made: readonly InstancePod[];
}

/**
 * Renders a PVC. A new or growing PVC is applied last, after the Pods of all existing PVCs, because a quota can reject
 * it. Only the Pod of a new PVC waits for it.
 */
function renderClaim(scope: Construct, { claim, resource, claims, database, made }: Volume): void {
  const { name } = resource.metadata;
  const live = claims.find(({ metadata }) => metadata.name === claim.name);
  const size = sizeFor(claim, resource, live);
  const storage = { ...resource.spec.storage, size };
  const { claim: rendered } = new DatabaseClaim(scope, `claim-${claim.name}`, { name, instance: claim.name, storage });
  if (claim.leavingAt !== undefined) rendered.metadata.addAnnotation(leavingAnnotation, claim.leavingAt);
  if (claim.isQuarantined) rendered.metadata.addLabel(quarantinedLabel, 'true');
  applyClaimPolicy(rendered, { live, remedy: rejectionRemedy('spec.storage.size') });
  if (live && requestIn(live) === size) return;
  const isBound = ({ instance }: InstancePod) => claims.some(({ metadata }) => metadata.name === instance);
  rendered.node.addDependency(database, ...made.filter(isBound).map(({ pod }) => pod));
  if (!live) for (const { instance, pod } of made) if (instance === claim.name) pod.node.addDependency(rendered);
}

/**
 * The size to request. A volume that leaves does not grow, and no volume grows before its PVC is marked: a rejected
 * size must not hold up the mark.
 */
function sizeFor(claim: ClaimPlan, { spec }: DatabaseResource, live: LivePersistentVolumeClaim | undefined): string {
  const { annotations, labels } = live?.metadata ?? {};
  const isMarked =
    annotations?.[leavingAnnotation] === claim.leavingAt &&
    (labels?.[quarantinedLabel] !== undefined) === claim.isQuarantined;
  const isStaying = claim.leavingAt === undefined && !claim.isQuarantined;
  return claimSize(spec.storage.size, live, { mayGrow: isMarked && isStaying });
}
