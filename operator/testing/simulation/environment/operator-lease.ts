import { groupKindOf, Lease } from '../../../runtime/kubernetes/kinds.js';
import type { SimulatedRequest } from './server.js';

/** The Lease for which the processes of the operator compete. */
export const operatorLease = { name: 'operator', namespace: 'system' } as const;

/** True for a request about that Lease. A controller may own other Leases, and other users may create more. */
export function isOperatorLease({ kind, name }: Pick<SimulatedRequest, 'kind' | 'name'>): boolean {
  return (
    groupKindOf(kind) === groupKindOf(Lease) &&
    name?.name === operatorLease.name &&
    name.namespace === operatorLease.namespace
  );
}
