import type { TrainingJobResource } from '../../../../imports/index.js';
import { trainingObjectNames } from '../../../../src/index.js';
import type { LivePersistentVolume, LivePersistentVolumeClaim } from '../../../runtime/index.js';
import { claimNames } from './needed-objects.js';
import type { Worker } from './worker.js';

/** A PersistentVolumeClaim that Pods of a job mount. */
export interface MountedClaim {
  readonly name: string;
  readonly isBound: boolean;
  /** The label that nodes must have for its volume, such as `topology.kubernetes.io/zone=eu-1a`. Absent if any node will do. */
  readonly place?: string | undefined;
}

/** A PersistentVolume of a claim. */
export interface ClaimedVolume {
  /** Namespace and name of the claim. */
  readonly claim: string;
  readonly place: string | undefined;
}

/** The PersistentVolumes of these claims are read: that of the checkpoints, and those that the spec names. */
export function claimKeys({ metadata, spec }: Pick<TrainingJobResource, 'metadata' | 'spec'>): readonly string[] {
  return mountedNames({ metadata, spec }).map((name) => `${metadata.namespace}/${name}`);
}

function mountedNames({ metadata, spec }: Pick<TrainingJobResource, 'metadata' | 'spec'>): readonly string[] {
  const own = spec.checkpoint?.size === undefined ? [] : [trainingObjectNames(metadata.name).checkpoints];
  return [...own, ...claimNames(spec)];
}

/** The claim of a PersistentVolume. Empty if it has none. */
export function claimsOfVolume({ spec }: LivePersistentVolume): readonly string[] {
  const { namespace, name } = spec?.claimRef ?? {};
  return namespace === undefined || name === undefined ? [] : [`${namespace}/${name}`];
}

/** What is read of a PersistentVolume. */
export function claimedVolume(volume: LivePersistentVolume): ClaimedVolume {
  const [claim = ''] = claimsOfVolume(volume);
  const [term] = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const labels = (term?.matchExpressions ?? []).map(({ key, values = [] }) => `${key}=${values.join('|')}`);
  const zone = labels.find((label) => label.includes('zone='));
  return { claim, place: zone ?? labels[0] };
}

interface Mounting {
  readonly resource: Pick<TrainingJobResource, 'metadata' | 'spec'>;
  readonly reads: {
    readonly claims: readonly ({ readonly isBound: boolean } | undefined)[];
    readonly volumes: readonly ClaimedVolume[];
  };
}

/** The claims that exist, first that of the checkpoints. @param own claims that the job owns */
export function mountedClaimsIn(
  { resource, reads }: Mounting,
  own: readonly LivePersistentVolumeClaim[],
): readonly MountedClaim[] {
  const names = claimNames(resource.spec);
  return mountedNames(resource).flatMap((name) => {
    const live = own.find(({ metadata }) => metadata.name === name);
    const found = live ? { isBound: isBound(live) } : reads.claims[names.indexOf(name)];
    const volume = reads.volumes.find(({ claim }) => claim === `${resource.metadata.namespace}/${name}`);
    return found ? [{ name, isBound: found.isBound, place: volume?.place }] : [];
  });
}

/** True once a claim has its volume. */
export function isBound({ status }: LivePersistentVolumeClaim): boolean {
  return status?.phase === 'Bound';
}

/** The scheduler says so of a claim without a volume. With another binding mode, it gets one together with its node. */
const unbound = /unbound immediate PersistentVolumeClaims|available persistent volumes to bind/;

/** Why a Pod waits for a volume, with the names of the claims, as a part of a sentence. */
export function volumeObstacle({ name, trouble = '' }: Worker, claims: readonly MountedClaim[]): string {
  const pending = claims.filter((one) => !one.isBound);
  if (unbound.test(trouble)) return `${listed(pending)}no volume yet for Pod ${name}: ${trouble}`;
  const placed = claims.flatMap((one) => (one.place === undefined ? [] : [{ ...one, place: one.place }]));
  const places = placed.map((one) => `the volume of PersistentVolumeClaim ${one.name} is at ${one.place}`);
  if (places.length === 0)
    return `the volume of ${namesOf(claims)} is elsewhere than the free nodes for Pod ${name}: ${trouble}`;
  return `${places.join(' and ')}, and no node there can run Pod ${name}: ${trouble}`;
}

const namesOf = (claims: readonly MountedClaim[]) =>
  claims.length === 0
    ? 'a PersistentVolumeClaim'
    : `PersistentVolumeClaim ${claims.map(({ name }) => name).join(', ')}`;

function listed(pending: readonly MountedClaim[]): string {
  return `${namesOf(pending)} ${pending.length > 1 ? 'have' : 'has'} `;
}
