import { blockerConditions } from '../controller/blocker.js';
import type { Condition, Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import type { ResourceEvent } from '../ports/event-recorder.js';

/** Reasons that a failed pass gives to `Ready`. */
const failures: ReadonlySet<string> = new Set(['ReconcileFailed', 'ApplyRejected']);

/**
 * What changed in the conditions that a person wants to hear of, in their words. Nothing happens, nothing is told: a
 * condition that is said for the first time is no change, and `Ready` follows from the others, but for the end of what
 * only it had told: passes that failed.
 */
export function conditionEvents(
  { conditions, informationalConditions }: Pick<Controller, 'conditions' | 'informationalConditions'>,
  before: readonly Condition[],
  found: readonly Finding[],
): ResourceEvent[] {
  const counted = ['Accepted', ...Object.keys(conditions).filter((type) => !informationalConditions.includes(type))];
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
