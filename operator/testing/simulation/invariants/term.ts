import { Lease } from '../../../runtime/kubernetes/kinds.js';
import { controllerOf } from '../../../runtime/kubernetes/object.js';
import type { SimulatedProcess } from '../environment/process.js';
import type { InvariantOf } from './invariant.js';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
}

/** Uses the Lease on the server: its holder, and the time until which no other process may take it. */
export const term: InvariantOf = ({ time }) => {
  let held: { by: string | undefined; until: number } | undefined;
  const violation = ({ identity }: SimulatedProcess) => {
    if (!held) return undefined;
    if (held.by !== identity) return `${held.by || 'no process'} holds the lease, but ${identity} writes`;
    return time.now < held.until ? undefined : `the lease of ${identity} has expired, but it writes`;
  };
  return {
    promise: 'writes only during the term of its lease',
    onEffect: ({ request, before, after }) => {
      if (request.kind.kind !== Lease.kind) return undefined;
      // A Lease with an owner is an object of a resource, not the one for which the processes compete.
      const live = after ?? before;
      if (live && controllerOf(live)) return undefined;
      const { spec } = (after ?? {}) as { readonly spec?: LeaseSpec };
      held = { by: spec?.holderIdentity, until: time.now + (spec?.leaseDurationSeconds ?? 0) * 1000 };
      return undefined;
    },
    onLeave: ({ kind }, process) => (kind.kind === Lease.kind ? undefined : violation(process)),
    onCall: violation,
  };
};
