import { isOperatorLease } from '../environment/operator-lease.js';
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
    onEffect: ({ request, after }) => {
      if (!isOperatorLease(request)) return undefined;
      const { spec } = (after ?? {}) as { readonly spec?: LeaseSpec };
      held = { by: spec?.holderIdentity, until: time.now + (spec?.leaseDurationSeconds ?? 0) * 1000 };
      return undefined;
    },
    onLeave: (request, process) => (isOperatorLease(request) ? undefined : violation(process)),
    onCall: violation,
  };
};
