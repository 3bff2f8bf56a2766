import type { ReconcileContext } from '../context/reconcile-context.js';
import { runtimeStatusOf } from '../controller/custom-resource.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { driftOf } from '../fields/contains.js';
import { type FieldPath, fieldText, writerOf } from '../fields/field-path.js';
import type { LiveObject } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { blamed, counted, holding, type Intent, type Series, suspended } from '../memory/write-breaker.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { describe } from '../rendering/render.js';
import { blocked, type Change, type Decision, type Read } from './decision.js';

/**
 * The number of times that a field is reverted before the operator stops. From the third time on, it looks up the other
 * manager.
 */
const rounds = 5;
const suspicious = 3;
/** The number of writes of one object for an already observed spec after which they count as a loop. */
export const endless = 20;
/** Used if the field does not matter. */
export const anything = '';

/** What decides about a conflict: the resource, and what the process remembers of the writes of its objects. */
export type Remembered = Pick<ReconcileContext, 'controller' | 'resource' | 'writeGuard'>;

/** What follows from a conflict. Without a decision the change may be sent. */
interface Conflict extends Pick<Decision, 'news' | 'memo'> {
  readonly decision?: Decision;
}

/** Whether a change belongs to an endless series: a conflict with another field manager, or a loop of our own. */
export function fieldConflict(change: Change, context: Remembered): Conflict {
  const { live, wish } = change;
  const { breaker } = context.writeGuard;
  const what = { id: live.metadata.uid, wish: wishOf(wish), generation: context.resource.metadata.generation ?? 0 };
  const before = breaker.of(what.id);
  const isRepair = wishOf(live) === what.wish || before?.wish === what.wish;
  if (!isRepair && !isObserved(context) && !before) return {};
  const drift = driftOf(live, wish);
  const now = breaker.clock.monotonic();
  const { blocker, series } = holding(before, { ...what, fields: drift.map(fieldText) }, now);
  const memo = series === before ? undefined : { writes: { id: what.id, series } };
  if (blocker) return { decision: blocked(blocker), memo };
  const drifting = { ...what, drift, series, now };
  if (isRepair) return repair(change, drifting);
  if (!isObserved(context)) return { memo };
  if (!isFrequent(change, drift)) return loop(change, drifting);
  // The way back to the content before is no revert of what somebody else has written.
  return series ? { memo: { writes: { id: what.id, series: { ...series, wish: what.wish } } } } : { memo };
}

/** Whether a change is one of fields that may change at any rate. One that only removes something names no field. */
function isFrequent({ desired: { kind } }: Change, drift: readonly FieldPath[]): boolean {
  const { frequentFields = [] } = kind;
  const fields = ownFields(drift);
  const isBelow = (field: string, parent: string) => field === parent || /^[.[]/.test(field.slice(parent.length));
  const isExpected = (field: string) =>
    frequentFields.some((parent) => field.startsWith(parent) && isBelow(field, parent));
  return frequentFields.length > 0 && fields.every(isExpected);
}

/** The fields without the annotations of the runtime, which change with each of them. */
function ownFields(drift: readonly FieldPath[]): readonly string[] {
  return drift.map(fieldText).filter((field) => !field.startsWith('metadata.annotations[reconstruct.dev/'));
}

interface Drifting extends Omit<Intent, 'fields'> {
  readonly drift: readonly FieldPath[];
  readonly series: Series | undefined;
  readonly now: number;
}

/** If a field was reverted often, the object is read, because only the server knows who changes it. */
function repair(change: Change, { drift, series: before, now, ...what }: Drifting): Conflict {
  const reverts = drift.map(fieldText);
  const { counts, series } = counted(before, { ...what, fields: reverts }, now);
  const memo = { writes: { id: what.id, series, isCounted: true } };
  const fields = drift
    .map((path) => ({ path, count: counts.get(fieldText(path)) ?? 0 }))
    .filter(({ count }) => count >= suspicious);
  if (fields.length === 0) return { news: { reverts }, memo };
  const read = { do: 'read', desired: change.desired, why: 'conflict', change, suspects: { ...what, fields } } as const;
  return { decision: read, news: { reverts }, memo };
}

/** Gives fields up to the managers that change them after each revert. No decision follows if the object is gone. */
export function lostFields(
  { desired, suspects: { fields, ...what } }: Extract<Read, { readonly why: 'conflict' }>,
  now: LiveObject | undefined,
  { controller, writeGuard }: Remembered,
): Conflict {
  if (!now) return {};
  const { breaker } = writeGuard;
  const time = breaker.clock.monotonic();
  let series = breaker.of(what.id);
  const lost = fields.flatMap(({ path, count }) => {
    const blame = { field: fieldText(path), writer: writerOf(now, path, managerOf(controller.name)) };
    const { isSame, series: after } = blamed(series, blame, time);
    series = after;
    return isSame && count >= rounds ? [blame] : [];
  });
  if (lost.length === 0) return { memo: { writes: { id: what.id, series } } };
  const taken = lost.map(({ field, writer }) => `${field} of ${describe(desired)} to ${writer}`).toSorted();
  const message = `Left ${taken.join(' and ')}, which changes it after each revert: remove the field from one of the two`;
  const intent = { ...what, fields: lost.map(({ field }) => field) };
  return { decision: cut(intent, series, { reason: 'FieldManagerConflict', message, now: time }) };
}

/** Suspends the writes of an object that the controller itself keeps changing. */
function loop({ desired }: Change, { drift, series: before, now, ...what }: Drifting): Conflict {
  const { counts, series } = counted(before, { ...what, fields: [anything] }, now);
  if ((counts.get(anything) ?? 0) <= endless) return { memo: { writes: { id: what.id, series, isCounted: true } } };
  const fields = ownFields(drift);
  const message =
    `${describe(desired)}: the desired ${fields.toSorted().join(' and ') || 'content'} keeps changing without an ` +
    'edit: desire must depend only on the facts, not on time or randomness';
  const intent = { ...what, fields: [...fields, anything] };
  return { decision: cut(intent, series, { reason: 'WriteLoop', message, now }, true) };
}

/**
 * True if an earlier reconcile observed the spec. The writes of the first reconciles after an edit are expected,
 * whatever their number, and are not counted.
 */
export function isObserved({ controller, resource }: Pick<Remembered, 'controller' | 'resource'>): boolean {
  if (reportsElsewhere(controller)) return true; // it writes no generation
  return runtimeStatusOf(resource).observedGeneration === resource.metadata.generation;
}

/** Suspends the writes of an object. */
export function cut(
  intent: Omit<Intent, 'wish'>,
  before: Series | undefined,
  why: Parameters<typeof suspended>[2],
  isCounted = false,
): Decision {
  const { series, blocker } = suspended(before, intent, why);
  return { ...blocked(blocker), news: { tripped: why.reason }, memo: { writes: { id: intent.id, series, isCounted } } };
}
