import { canonicalQuantity, wholeQuantity } from '../../src/index.js';
import { type LivePersistentVolumeClaim, RejectedError } from '../runtime/index.js';

type Size = string | number;

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
 * Rejects a size that is smaller than a volume, because no storage can shrink one.
 * @param field path of the size in the spec
 * @param otherwise what a person can do instead, as the end of a message
 * @throws {RejectedError} when a volume is larger
 */
export function rejectBelow(
  { field, size, otherwise }: { readonly field: string; readonly size: Size; readonly otherwise: string },
  claims: readonly LivePersistentVolumeClaim[],
): void {
  const [largest] = claims
    .flatMap((claim) => floorOf(claim) ?? [])
    .toSorted((a, b) => Number(b.bytes > a.bytes) - Number(b.bytes < a.bytes) || a.name.localeCompare(b.name));
  if (!largest || wholeQuantity(size) >= largest.bytes) return;
  throw new RejectedError(
    'VolumeCannotShrink',
    `${field}: Invalid value: "${size}": must be at least ${largest.size}, the size of the volume of PVC ${largest.name}, because a volume cannot shrink; use ${largest.size} or more, or ${otherwise}`,
  );
}

/** The part of a volume that was asked for. Storage may provide more than that. */
function floorOf(claim: LivePersistentVolumeClaim) {
  const [capacity, request] = [capacityOf(claim), requestIn(claim)];
  if (capacity === undefined || request === undefined) return undefined;
  const size = wholeQuantity(request) < wholeQuantity(capacity) ? request : capacity;
  return { name: claim.metadata.name, size, bytes: wholeQuantity(size) };
}

/** The size that the volume of a PVC has, in the canonical form. */
export function capacityOf({ status }: LivePersistentVolumeClaim): string | undefined {
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
