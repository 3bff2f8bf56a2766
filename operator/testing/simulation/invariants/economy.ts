import { Event, Lease } from '../../../runtime/kubernetes/kinds.js';
import type { InvariantOf } from './invariant.js';

/** Writes that a disturbance may cost: what it touches is written again, and after failures again. */
const perDisturbance = 25;
/** Writes that nothing need explain. */
const free = 150;

/** Counts what others did, and what went wrong. */
export const economy: InvariantOf = ({ weather }) => {
  let writes = 0;
  let changes = 0;
  return {
    promise: 'writes no more than what happens calls for',
    onEffect: ({ by }) => {
      if (!by) changes++;
      return undefined;
    },
    onLeave: ({ kind }, { identity }) => {
      if (kind.kind === Lease.kind || kind.kind === Event.kind) return undefined;
      writes++;
      const most = free + perDisturbance * (changes + weather.troubles);
      return writes > most
        ? `${writes} writes after ${changes} changes by others: ${identity} does not stop`
        : undefined;
    },
  };
};
