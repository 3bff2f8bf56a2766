import type { Situation } from '../situation.js';
import type { Step } from './step.js';

/**
 * Until the Lease and the annotations are known, and the Lease has the term of the last leader. One that was deleted starts
 * again with 0, and no term may have two leaders.
 */
export function knownLease({ lease, existing, memory }: Situation): Step | undefined {
  if (!lease || lease.state === 'absent' || !existing) return { does: 'wait', why: 'lease' };
  if (lease.state !== 'released' || lease.term >= memory.term) return undefined;
  return { does: 'elect', term: memory.term, holder: '', over: lease };
}
