import type { Construct } from 'constructs';
import type { DatabaseResource } from '../../../imports/index.js';
import {
  canonicalQuantity,
  Database,
  DatabaseArchive,
  DatabaseClaim,
  DatabasePod,
  instanceImage,
} from '../../../src/index.js';
import {
  allowRecreation,
  createOnly,
  type LivePersistentVolumeClaim,
  PersistentVolumeClaim,
  Secret,
} from '../../runtime/index.js';
import { assertArchiveIsFree } from './archive-claims.js';
import { type Bootstrap, bootstrapOf, isBootstrapping } from './bootstrap.js';
import { nextOf, staysUp } from './deletion/index.js';
import {
  leavingAnnotation,
  parametersAnnotation,
  quarantinedLabel,
  revisionAnnotation,
} from './instances/instances.js';
import { type ClaimPlan, markOf, type Plan, type Situation } from './plan/index.js';
import { knownSecrets, renderSecrets } from './secrets.js';
import { type DatabaseView, situationOf } from './view.js';

/** Renders the objects that a Database needs next. */
export function desire(scope: Construct, view: DatabaseView): void {
  const { resource, owned, reads, polled } = view;
  const { metadata, spec } = resource;
  const { name } = metadata;
  if (metadata.deletionTimestamp !== undefined && !staysUp(resource)) return;
  if (metadata.deletionTimestamp === undefined) assertArchiveIsFree(resource, reads.archiveClaimants);
  const { credentials } = polled;
  const drawn = credentials?.known ? credentials.value : undefined;
  const known = knownSecrets(name, owned.of(Secret));
  const isOpen = renderSecrets(scope, { name, bootstrap: spec.bootstrap, known, drawn });

  const situation = situationOf(view);
  const plan = nextOf(resource, situation);
  const restored = bootstrapOf(resource, reads);
  const pods = isOpen ? plan.pods : plan.pods.filter((pod) => isThere(pod, situation));
  const database = new Database(scope, 'database', {
    ...spec,
    name,
    instances: writersIn(plan.pods, situation),
    restored,
  });
  if (plan.from !== undefined) database.failover.metadata.addAnnotation('leader', plan.from);

  const made = pods.map((instance) => {
    const { pod } = new DatabasePod(scope, `pod-${instance}`, {
      ...{ name, instance, spec, image: instanceImage(spec), restored: restored?.source },
    });
    pod.metadata.addAnnotation(revisionAnnotation, situation.revision);
    pod.metadata.addAnnotation(parametersAnnotation, markOf(situation));
    createOnly(pod);
    return pod;
  });
  if (isBootstrapping(resource)) renderArchive(scope, resource, restored);
  for (const claim of plan.claims) renderClaim(scope, { claim, resource, owned, made });
}

/** Serves an archive that no other Pod serves, until an instance has restored from it. */
function renderArchive(scope: Construct, { metadata, spec }: DatabaseResource, beginning: Bootstrap | undefined): void {
  if (beginning?.claim === undefined) return;
  const { name } = metadata;
  const { pod } = new DatabaseArchive(scope, 'archive', {
    ...{ name, claim: beginning.claim, image: instanceImage(spec), spec },
  });
  allowRecreation(pod);
}

function isThere(name: string, { instances }: Situation): boolean {
  return instances.some((instance) => instance.name === name && instance.pod === 'there');
}

/** Includes instances that are stopping: Patroni annotates its Pod when it has stopped. */
function writersIn(pods: Plan['pods'], { instances }: Situation): readonly string[] {
  const leaving = instances.filter(({ name, pod }) => pod !== 'none' && !pods.includes(name)).map(({ name }) => name);
  return [...pods, ...leaving].toSorted();
}

interface Volume {
  readonly claim: ClaimPlan;
  readonly resource: DatabaseResource;
  readonly owned: DatabaseView['owned'];
  readonly made: readonly Construct[];
}

/** Applies a PVC that grows after the Pods, so that a failed expansion does not block them. */
function renderClaim(scope: Construct, { claim, resource, owned, made }: Volume): void {
  const { name } = resource.metadata;
  const { storage } = resource.spec;
  const { claim: rendered } = new DatabaseClaim(scope, `claim-${claim.name}`, { name, instance: claim.name, storage });
  if (claim.leavingAt !== undefined) rendered.metadata.addAnnotation(leavingAnnotation, claim.leavingAt);
  if (claim.isQuarantined) rendered.metadata.addLabel(quarantinedLabel, 'true');
  const live = owned.of(PersistentVolumeClaim).find(({ metadata }) => metadata.name === claim.name);
  if (live && sizeOf(live) !== canonicalQuantity(storage.size))
    for (const pod of made) rendered.node.addDependency(pod);
}

function sizeOf({ spec }: LivePersistentVolumeClaim): string | undefined {
  return spec?.resources?.requests?.['storage'];
}
