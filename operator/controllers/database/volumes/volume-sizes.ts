import type { DatabaseResource, DatabaseSpec } from '../../../../imports/index.js';
import { objectNames, wholeQuantity } from '../../../../src/index.js';
import { capacityOf, rejectBelow } from '../../../pods/claim-sizes.js';
import { conditionOf, type LivePersistentVolumeClaim } from '../../../runtime/index.js';
import { leavingAnnotation, quarantinedLabel, serialOf } from '../instances/instances.js';

/** What a person can do instead of shrinking a volume. */
const otherwise = 'restore into a new Database with the smaller size';

/** What a person can do in the spec if the API server rejects a PVC of a Database, as the end of a message. */
export function rejectionRemedy(field: 'spec.storage.size' | 'spec.backup.target.volume.size'): string {
  return `set ${field} to what the volumes have`;
}

/**
 * The spec with the storage that every instance has, for the parameters that follow the size of the volumes: a request
 * that cannot be met must not make the write-ahead log larger than a volume.
 */
export function withPresentSize(
  resource: DatabaseResource,
  claims: readonly LivePersistentVolumeClaim[],
): DatabaseSpec {
  const { metadata, spec } = resource;
  const present = claims.filter((claim) => isMember(claim, metadata.name)).flatMap((claim) => capacityOf(claim) ?? []);
  const least = [spec.storage.size, ...present].reduce((a, b) => (wholeQuantity(b) < wholeQuantity(a) ? b : a));
  return least === spec.storage.size ? spec : { ...spec, storage: { ...spec.storage, size: least } };
}

/**
 * Rejects an edit that makes a size smaller than a volume, because no storage can shrink one. A spec that was accepted
 * before stays accepted, so that an instance is repaired although its volume was expanded by hand.
 * @throws {RejectedError} when a volume is larger
 */
export function rejectShrinking(resource: DatabaseResource, claims: readonly LivePersistentVolumeClaim[]): void {
  const { metadata, spec } = resource;
  if (metadata.deletionTimestamp !== undefined || isDecided(resource)) return;
  const members = claims.filter((claim) => isMember(claim, metadata.name));
  const archives = claims.filter((claim) => claim.metadata.name === objectNames(metadata.name).repository);
  rejectBelow({ field: 'spec.storage.size', size: spec.storage.size, otherwise }, members);
  const archive = spec.backup?.target.volume?.size;
  if (archive !== undefined)
    rejectBelow({ field: 'spec.backup.target.volume.size', size: archive, otherwise }, archives);
}

/** True for the PVC of an instance that stays. */
function isMember({ metadata }: LivePersistentVolumeClaim, database: string): boolean {
  const { name, labels, annotations } = metadata;
  if (labels?.[quarantinedLabel] !== undefined || annotations?.[leavingAnnotation] !== undefined) return false;
  return serialOf(name, database) !== undefined;
}

/** True if this spec, or a later one, was already accepted or rejected, and this one is in use. */
function isDecided(resource: DatabaseResource): boolean {
  const { generation = 0 } = resource.metadata;
  const accepted = conditionOf(resource, 'Accepted');
  const { observedGeneration = -1 } = accepted ?? {};
  return observedGeneration > generation || (observedGeneration === generation && accepted?.status === 'True');
}
