import { Lease } from '../../../runtime/kubernetes/kinds.js';
import type { InvariantOf } from './invariant.js';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
}

/** Judged by what the server knows: who holds the lease, and until when nobody else may take it. */
export const term: InvariantOf = ({ time }) => {
  let held: { by: string | undefined; until: number } | undefined;
  return {
    promise: 'writes within the term of its lease only',
    onEffect: ({ request, after }) => {
      if (request.kind.kind !== Lease.kind) return undefined;
      const { spec } = (after ?? {}) as { readonly spec?: LeaseSpec };
      held = { by: spec?.holderIdentity, until: time.now + (spec?.leaseDurationSeconds ?? 0) * 1000 };
      return undefined;
    },
    onLeave: ({ kind }, { identity }) => {
      if (kind.kind === Lease.kind || !held) return undefined;
      if (held.by !== identity) return `${held.by || 'nobody'} holds the lease, but ${identity} writes`;
      return time.now < held.until ? undefined : `the lease of ${identity} is over, but it writes`;
    },
  };
};
