import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { rejectBelow } from '../../pods/claim-sizes.js';
import { allowRejection, createOnly, type LivePersistentVolumeClaim } from '../../runtime/index.js';
import { applyClaimPolicy, claimSize, retiredLabel } from '../claims/member-claim.js';
import { revisionAnnotation } from '../member/member.js';
import type { MemberPlan } from './member-plan.js';

/** How a kind renders the Pods and PVCs of its plan. */
export interface MemberRendering {
  readonly plan: Pick<MemberPlan<unknown>, 'pods' | 'claims'>;
  /** Hash of the desired Pod template. */
  readonly revision: string | undefined;
  /** The existing PVCs. */
  readonly live: readonly LivePersistentVolumeClaim[];
  /** The size of a volume in the spec. */
  readonly size: string | number;
  /** The path of that size, for a message. @default 'spec.storage.size' */
  readonly sizeField?: string;
  /** Objects that all members share, which come before them. */
  readonly shared: Construct;
  /** What a person can do in the spec if the API server rejects a Pod, as the end of a message. */
  readonly remedy: string;
  /** Renders the Pod of a member. */
  readonly pod: (name: string) => ApiObject;
  /** Renders the PVC of a member. */
  readonly claim: (name: string, size: string) => ApiObject;
}

/**
 * Renders the members of a plan. A Pod is created once and then left alone, because a change of its template needs another
 * Pod, and it comes after its PVC. A rejected Pod or PVC holds up no other member.
 * @throws {RejectedError} if the size is smaller than a volume in use
 */
export function renderMembers(rendering: MemberRendering): void {
  const { plan, revision, live, shared, size, sizeField: field = 'spec.storage.size' } = rendering;
  const used = new Set(plan.claims.filter(({ retired }) => retired === undefined).map(({ name }) => name));
  const otherwise = 'create another resource with smaller volumes';
  rejectBelow(
    { field, size, otherwise },
    live.filter(({ metadata }) => used.has(metadata.name)),
  );
  const claims = new Map(
    plan.claims.map(({ name, retired }) => {
      const existing = live.find(({ metadata }) => metadata.name === name);
      const claim = rendering.claim(name, claimSize(size, existing, { mayGrow: retired === undefined }));
      if (retired !== undefined) claim.metadata.addLabel(retiredLabel, retired);
      applyClaimPolicy(claim, {
        live: existing,
        remedy: 'set the storage size to what the volumes have',
        holdsUp: false,
      });
      return [name, claim] as const;
    }),
  );
  for (const name of plan.pods) {
    const pod = rendering.pod(name);
    const claim = claims.get(name);
    if (revision !== undefined) pod.metadata.addAnnotation(revisionAnnotation, revision);
    createOnly(pod);
    allowRejection(pod, rendering.remedy, { holdsUp: false });
    pod.node.addDependency(shared, ...(claim ? [claim] : []));
  }
}
