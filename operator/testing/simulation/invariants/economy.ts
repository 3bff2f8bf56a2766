import { Event } from '../../../runtime/kubernetes/kinds.js';
import { isOperatorLease } from '../environment/operator-lease.js';
import type { InvariantOf } from './invariant.js';

/** Maximum number of writes per change by others and per fault, including retries. */
const perDisturbance = 25;
/** Number of writes that are always allowed. */
const free = 150;

/** Compares the number of writes with the number of changes by others and of faults. */
export const economy: InvariantOf = ({ weather }) => {
  let writes = 0;
  let changes = 0;
  return {
    promise: 'does not write more than changes and faults explain',
    onEffect: ({ by }) => {
      if (!by) changes++;
      return undefined;
    },
    onLeave: (request, { identity }) => {
      if (isOperatorLease(request) || request.kind.kind === Event.kind) return undefined;
      writes++;
      const most = free + perDisturbance * (changes + weather.troubles);
      return writes > most
        ? `${writes} writes after ${changes} changes by others; ${identity} does not stop`
        : undefined;
    },
  };
};
