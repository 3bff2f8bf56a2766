import { blockerConditions } from '../controller/blocker.js';
import type { Condition, Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import type { Happening } from '../ports/event-recorder.js';

/** Reasons that a failed pass gives to `Ready`. */
const failures: ReadonlySet<string> = new Set(['PassFailed', 'Refused']);

/**
 * What changed in the conditions that a person wants to hear of, in their words. Nothing happens, nothing is told: a
 * condition that is said for the first time is no change, and `Ready` follows from the others, but for the end of what
 * only it had told: passes that failed.
 */
export function conditionEvents(
  { conditions, informs }: Pick<Controller, 'conditions' | 'informs'>,
  before: readonly Condition[],
  found: readonly Finding[],
): Happening[] {
  const counted = ['Accepted', ...Object.keys(conditions).filter((type) => !informs.includes(type))];
  return found.flatMap(({ type, status, reason, message: note }) => {
    const last = before.find((condition) => condition.type === type);
    const refused = (type === 'Accepted' && status === 'False') || blockerConditions.includes(type);
    const recovered = type === 'Ready' && status === 'True' && failures.has(last?.reason ?? '');
    const isNews = last?.status !== status || (refused && last.message !== note);
    if (!isNews || !(refused || recovered || (last && counted.includes(type)))) return [];
    if (status === 'Unknown') return [];
    return [{ type: refused || status === 'False' ? ('Warning' as const) : ('Normal' as const), reason, note }];
  });
}
