import type { ApiObject } from 'cdk8s';
import { hasVolume, requestFor, requestIn } from '../../pods/claim-sizes.js';
import { allowRecreation, allowRejection, type LivePersistentVolumeClaim } from '../../runtime/index.js';

/** Label of a PVC that no member uses any more. Its value is the cause. */
export const retiredLabel = 'reconstruct.dev/retired';

/** Why no member runs on a PVC any more. Undefined for a PVC in use. */
export function retirementOf(claim: LivePersistentVolumeClaim | undefined): string | undefined {
  return claim?.metadata.labels?.[retiredLabel];
}

/**
 * The size that the PVC of a member requests. A PVC that is retired, or about to be, keeps its size: a rejected size must
 * not hold up the mark.
 * @param stated the size in the spec
 */
export function claimSize(
  stated: string | number,
  live: LivePersistentVolumeClaim | undefined,
  { mayGrow }: { readonly mayGrow: boolean },
): string {
  if (!live || mayGrow) return requestFor(stated, live);
  return requestIn(live) ?? requestFor(stated, live);
}

/** How the PVC of a member is applied. */
export interface ClaimPolicy {
  readonly live: LivePersistentVolumeClaim | undefined;
  /** What a person can do in the spec if the API server rejects the PVC, as the end of a message. */
  readonly remedy: string;
  /** Whether the other objects wait while the API server rejects it. @default true */
  readonly holdsUp?: boolean;
}

/** Applies what holds for the PVC of every member: a quota can reject it, and it is recreated only while it has no data. */
export function applyClaimPolicy(claim: ApiObject, { live, remedy, holdsUp = true }: ClaimPolicy): void {
  allowRejection(claim, remedy, { holdsUp });
  // Without a volume it has no data, and its size is immutable.
  if (live && !hasVolume(live)) allowRecreation(claim);
}
