import { stepOf } from '../../../members/index.js';
import type { ConditionMark, Observation } from './observation.js';

/** The change that the operator withholds because it could lose writes. Undefined if there is none. */
export function unsafeOf(seen: Observation): ConditionMark<'Unsafe'> | undefined {
  const split = stepOf(seen, 'split');
  if (split) return { reason: 'SplitBrain', message: split.why };
  const refused = stepOf(seen, 'safety');
  return refused && { reason: 'UnreplicatedWrites', message: refused.why };
}
