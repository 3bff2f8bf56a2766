import { blockerConditions } from '../controller/blocker.js';
import type { Condition, Finding } from '../controller/conditions.js';
import type { Controller } from '../controller/controller.js';
import { annotationCondition, pausedCondition } from '../controller/owned-status.js';
import type { ResourceEvent } from '../ports/event-recorder.js';

/** The conditions that are there only while something is wrong. */
const problems: ReadonlySet<string> = new Set([...blockerConditions, annotationCondition]);

/** The reasons that a failed reconcile gives to `Ready`. */
const failures: ReadonlySet<string> = new Set(['ReconcileFailed', 'ApplyRejected']);

/**
 * The changes of conditions that are worth an event. An unchanged condition causes no event, and a new condition is not
 * a change, unless it is False and only events report it. `Ready` follows from the other conditions, so only the end of failed reconciles is reported for it.
 */
export function conditionEvents(
  {
    conditions,
    informationalConditions,
    isPrimary,
    reportsTo,
  }: Pick<Controller, 'conditions' | 'informationalConditions'> & Partial<Pick<Controller, 'isPrimary' | 'reportsTo'>>,
  before: readonly Condition[],
  found: readonly Finding[],
): ResourceEvent[] {
  const isAll = reportsTo === 'events';
  const own = Object.keys(conditions).filter((type) => isAll || !informationalConditions.includes(type));
  const counted = ['Accepted', ...own];
  const changes = found.flatMap(({ type, status, reason, message: note }) => {
    const last = before.find((condition) => condition.type === type);
    const refused = (type === 'Accepted' && status === 'False') || problems.has(type);
    const recovered = type === 'Ready' && status === 'True' && failures.has(last?.reason ?? '');
    // Nothing but the event shows it.
    const isFirst = isAll && status === 'False';
    const isNews = last?.status !== status || ((refused || isFirst) && last.message !== note);
    if (!isNews || !(refused || recovered || ((last || isFirst) && counted.includes(type)))) return [];
    if (status === 'Unknown') return [];
    return [{ type: refused || status === 'False' ? ('Warning' as const) : ('Normal' as const), reason, note }];
  });
  return [...changes, ...(isPrimary ? pauseEvents(before, found) : [])];
}

/** The start and the end of a pause. Its message changes with what is pending, which is no event. */
export function pauseEvents(before: readonly Finding[], found: readonly Finding[]): ResourceEvent[] {
  const isIn = (some: readonly Finding[]) =>
    some.some(({ type, status }) => type === pausedCondition && status === 'True');
  if (isIn(before) === isIn(found)) return [];
  const [reason, note] = isIn(found)
    ? ['Paused', 'Paused: no object is written and no external call is sent']
    : ['Resumed', 'Resumed: objects are written and external calls are sent again'];
  return [{ type: 'Normal', reason, note }];
}
