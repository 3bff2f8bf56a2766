import type { DatabaseResource, DatabaseSpec } from '../../../imports/index.js';
import { canonicalQuantity, objectNames, wholeQuantity } from '../../../src/index.js';
import { type LivePersistentVolumeClaim, RejectedError } from '../../runtime/index.js';
import { leavingAnnotation, quarantinedLabel, serialOf } from './instances/instances.js';

type Size = string | number;

/** What a person can do in the spec if the API server rejects a PVC of a Database, as the end of a message. */
export function rejectionRemedy(field: 'spec.storage.size' | 'spec.backup.target.volume.size'): string {
  return `set ${field} to what the volumes have`;
}

/** The size that a PVC requests, in the canonical form. Undefined if it requests none, or no quantity. */
export function requestIn({ spec }: LivePersistentVolumeClaim): string | undefined {
  return known(spec?.resources?.requests?.['storage']);
}

/**
 * The size that a PVC is to request. Kubernetes lowers a request only after an expansion that has not succeeded, and
 * only to more than the volume has. Any other request stays as it is.
 * @param size the size in the spec
 * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#recovering-from-failure-when-expanding-volumes
 */
export function requestFor(size: Size, live: LivePersistentVolumeClaim | undefined): string {
  const request = live && requestIn(live);
  const wanted = canonicalQuantity(size);
  if (live === undefined || request === undefined || wholeQuantity(size) >= wholeQuantity(request)) return wanted;
  // A PVC without a volume is recreated.
  if (!hasVolume(live)) return wanted;
  const capacity = capacityOf(live);
  return capacity !== undefined && wholeQuantity(size) > wholeQuantity(capacity) ? wanted : request;
}

/** True if a PVC has, or may soon have, data. */
export function hasVolume({ spec, status }: LivePersistentVolumeClaim): boolean {
  return spec?.volumeName !== undefined || status?.phase !== 'Pending';
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
  rejectBelow('spec.storage.size', spec.storage.size, members);
  const archive = spec.backup?.target.volume?.size;
  if (archive !== undefined) rejectBelow('spec.backup.target.volume.size', archive, archives);
}

function rejectBelow(field: string, size: Size, claims: readonly LivePersistentVolumeClaim[]): void {
  const [largest] = claims
    .flatMap((claim) => floorOf(claim) ?? [])
    .toSorted((a, b) => Number(b.bytes > a.bytes) - Number(b.bytes < a.bytes) || a.name.localeCompare(b.name));
  if (!largest || wholeQuantity(size) >= largest.bytes) return;
  throw new RejectedError(
    'VolumeCannotShrink',
    `${field}: Invalid value: "${size}": must be at least ${largest.size}, the size of the volume of PVC ${largest.name}, because a volume cannot shrink; use ${largest.size} or more, or restore into a new Database with the smaller size`,
  );
}

/** The part of a volume that was asked for. Storage may provide more than that. */
function floorOf(claim: LivePersistentVolumeClaim) {
  const [capacity, request] = [capacityOf(claim), requestIn(claim)];
  if (capacity === undefined || request === undefined) return undefined;
  const size = wholeQuantity(request) < wholeQuantity(capacity) ? request : capacity;
  return { name: claim.metadata.name, size, bytes: wholeQuantity(size) };
}

function capacityOf({ status }: LivePersistentVolumeClaim): string | undefined {
  return known(status?.capacity?.['storage']);
}

/** A memory cluster stores any text. An API server validates quantities. */
function known(size: string | undefined): string | undefined {
  try {
    return size === undefined ? undefined : canonicalQuantity(size);
  } catch {
    return undefined;
  }
}

/** True for the PVC of an instance that stays. */
function isMember({ metadata }: LivePersistentVolumeClaim, database: string): boolean {
  const { name, labels, annotations } = metadata;
  if (labels?.[quarantinedLabel] !== undefined || annotations?.[leavingAnnotation] !== undefined) return false;
  return serialOf(name, database) !== undefined;
}

/** True if this spec, or a later one, was already accepted or rejected, and this one is in use. */
function isDecided({ metadata, status }: DatabaseResource): boolean {
  const { generation = 0 } = metadata;
  const accepted = status?.conditions?.find(({ type }) => type === 'Accepted');
  const { observedGeneration = -1 } = accepted ?? {};
  return observedGeneration > generation || (observedGeneration === generation && accepted?.status === 'True');
}
