import type { Construct } from 'constructs';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import {
  additionalVolumeOf,
  type KafkaGroup,
  KafkaNodeClaim,
  type KafkaNodeRef,
  kafkaClaimName,
  kafkaClusterIdAnnotation,
  kafkaCombinedAnnotation,
  kafkaGroups,
  kafkaNodeName,
} from '../../../../src/index.js';
import { applyClaimPolicy, claimSize, retiredLabel } from '../../../members/index.js';
import { rejectBelow, requestIn } from '../../../pods/claim-sizes.js';
import { type LivePersistentVolumeClaim, RejectedError } from '../../../runtime/index.js';
import { groupOf } from './groups.js';
import { bootstrappedAnnotation, identityOf } from './nodes/nodes.js';
import type { ClaimPlan } from './plan/index.js';
import { claimsIn, isBootstrapped, type StableView } from './view.js';

/**
 * The volumes that an earlier KafkaCluster left name the voters of the metadata quorum.
 * @throws {RejectedError} when these are not where the spec has the controllers
 */
export function rejectOtherControllers(view: StableView): void {
  const { combined } = view.resource.spec.controllers;
  const claims = claimsIn(view);
  const identity = ({ metadata }: LivePersistentVolumeClaim) =>
    identityOf(metadata.name, { cluster: view.resource.metadata.name, groups: [] });
  const isCombined = ({ metadata }: LivePersistentVolumeClaim) =>
    metadata.annotations?.[kafkaCombinedAnnotation] !== undefined;
  const isOnlyBroker = (claim: LivePersistentVolumeClaim) =>
    identity(claim)?.group === 'broker' &&
    claim.metadata.annotations?.[bootstrappedAnnotation] === 'true' &&
    !isCombined(claim);
  const controller = combined && claims.find((claim) => identity(claim)?.role === 'controller');
  const other = controller || claims.find(combined ? isOnlyBroker : isCombined);
  if (!other) return;
  const separate = controller ? 'a controller in a Pod of its own' : 'a broker that is no controller';
  const where = combined ? separate : 'a broker that is a controller too';
  throw new RejectedError(
    'VolumesOfOtherControllers',
    `spec.controllers.combined: Invalid value: ${combined}: PVC ${other.metadata.name} has the metadata of ${where}; create the KafkaCluster with combined: ${!combined}, or with another name`,
  );
}

/** @throws {RejectedError} when the spec has a smaller size than a volume */
export function rejectShrinking(view: StableView): void {
  const { resource } = view;
  const otherwise = 'add a pool with smaller volumes and remove the brokers with larger ones';
  for (const live of claimsIn(view)) {
    const { node: owner = live.metadata.name, volume } = additionalVolumeOf(live.metadata.name) ?? {};
    const node = identityOf(owner, { cluster: resource.metadata.name, groups: groupsOf(resource) });
    if (!node || live.metadata.labels?.[retiredLabel] !== undefined) continue;
    const { storage, name } = groupOf(resource, node);
    const field = `spec.${fieldOf(name)}.storage.${volume === undefined ? '' : `additionalVolumes[${volume}].`}size`;
    const stated = volumeIn(storage, volume);
    if (stated) rejectBelow({ field, size: stated.size, otherwise }, [live]);
  }
}

function fieldOf(group: string): string {
  if (group === 'controller') return 'controllers';
  return group === 'broker' ? 'brokers' : `pools[${group}]`;
}

const groupsOf = ({ spec }: KafkaClusterResource) => [
  { name: 'controller', role: 'controller' as const },
  { name: 'broker', role: 'broker' as const },
  ...spec.pools.map(({ name }) => ({ name, role: 'broker' as const })),
];

/** Renders the PVCs of a node: of the volumes that it has, and of those that it gets. */
export function renderClaims(scope: Construct, props: Omit<ClaimProps, 'volume'>): readonly Construct[] {
  const { claim, view } = props;
  return [{}, ...volumesOf(claim, view).map((volume) => ({ volume }))].map((one) =>
    renderClaim(scope, { ...props, ...one }),
  );
}

/**
 * The additional volumes of a node. One that exists belongs to its node, whatever the spec has: without it, the broker would
 * lose replicas. A retired node gets no more.
 */
export function volumesOf(node: KafkaNodeRef & Pick<ClaimPlan, 'retired'>, view: StableView): readonly string[] {
  const { resource } = view;
  const name = kafkaNodeName(resource.metadata.name, node);
  const group = kafkaGroups(resource.spec).find((one) => one.name === node.group);
  const stated = node.retired === undefined ? (group?.storage.additionalVolumes ?? []).map((one) => one.name) : [];
  const existing = claimsIn(view).flatMap(({ metadata }) => {
    const of = additionalVolumeOf(metadata.name);
    return of?.node === name ? [of.volume] : [];
  });
  return [...new Set([...stated, ...existing])].toSorted();
}

/** True if the PVCs of all volumes of a node exist. */
export function hasAllClaims(node: KafkaNodeRef, view: StableView): boolean {
  const name = kafkaNodeName(view.resource.metadata.name, node);
  const existing = new Set(claimsIn(view).map(({ metadata }) => metadata.name));
  return [undefined, ...volumesOf(node, view)].every((volume) => existing.has(kafkaClaimName(name, volume)));
}

function volumeIn(storage: KafkaGroup['storage'], volume: string | undefined): VolumeSpec | undefined {
  return volume === undefined ? storage : storage.additionalVolumes.find(({ name }) => name === volume);
}

type VolumeSpec = Pick<KafkaGroup['storage'], 'size' | 'storageClassName'>;

interface ClaimProps {
  /** The name of an additional volume. */
  readonly volume?: string;
  readonly claim: ClaimPlan;
  readonly view: StableView;
  readonly clusterId: string;
}

function renderClaim(scope: Construct, { claim, volume, view, clusterId }: ClaimProps): Construct {
  const { resource } = view;
  const name = kafkaClaimName(kafkaNodeName(resource.metadata.name, claim), volume);
  const live = claimsIn(view).find(({ metadata }) => metadata.name === name);
  const storage = volumeIn(groupOf(resource, claim).storage, volume) ?? observedVolume(live);
  const size = claimSize(storage.size, live, { mayGrow: claim.retired === undefined });
  const { claim: rendered } = new KafkaNodeClaim(scope, `claim-${name}`, {
    ...{ name: resource.metadata.name, namespace: resource.metadata.namespace, node: claim },
    // A volume never becomes that of another cluster.
    clusterId: live?.metadata.annotations?.[kafkaClusterIdAnnotation] ?? clusterId,
    ...(volume !== undefined && { volume }),
    storage: { ...storage, size },
  });
  if (claim.retired !== undefined) rendered.metadata.addLabel(retiredLabel, claim.retired);
  if (isBootstrapped(view)) rendered.metadata.addAnnotation(bootstrappedAnnotation, 'true');
  // The first controllers start together, and their volumes come before. Later, only the Pod of this node waits for it.
  const remedy = 'set the storage size to what the volumes have';
  applyClaimPolicy(rendered, { live, remedy, holdsUp: !isBootstrapped(view) });
  return rendered;
}

/** The size and the class of a volume that the spec does not have any more. */
function observedVolume(live: LivePersistentVolumeClaim | undefined): VolumeSpec {
  const { storageClassName } = live?.spec ?? {};
  const size = (live && requestIn(live)) ?? '0';
  return { size, ...(storageClassName !== undefined && { storageClassName }) };
}
