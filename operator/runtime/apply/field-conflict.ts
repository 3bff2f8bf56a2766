import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker, BlockerReason } from '../controller/blocker.js';
import { runtimeStatusOf } from '../controller/custom-resource.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { driftOf } from '../fields/contains.js';
import { type FieldPath, fieldText, writerOf } from '../fields/field-path.js';
import type { LiveObject } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import type { Intent } from '../memory/write-breaker.js';
import { placeOf } from '../ownership/inventory.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { describe } from '../rendering/render.js';
import { blocked, type Change, type Decision, type News, type Read, rest } from './decision.js';

/**
 * The number of times that a field is reverted before the operator stops. From the third time on, it looks up the other
 * manager.
 */
const rounds = 5;
const suspicious = 3;
/** The number of writes of one object for an already observed spec after which they count as a loop. */
const endless = 20;
/** Used if the field does not matter. */
const anything = '';

/** What decides about a conflict: the resource, and what the process remembers of the writes of its objects. */
type Remembered = Pick<ReconcileContext, 'controller' | 'resource' | 'writeGuard'>;

/** What follows from a conflict. Without a decision the change may be sent. */
interface Conflict {
  readonly decision?: Decision;
  readonly news?: News;
}

/** Whether a change belongs to an endless series: a conflict with another field manager, or a loop of our own. */
export function fieldConflict(change: Change, context: Remembered): Conflict {
  const { live, wish } = change;
  const { breaker } = context.writeGuard;
  const what = { id: live.metadata.uid, wish: wishOf(wish), generation: context.resource.metadata.generation ?? 0 };
  const isRepair = wishOf(live) === what.wish || breaker.isRepeated(what);
  if (!isRepair && !isObserved(context) && !breaker.knows(what.id)) return {};
  const drift = driftOf(live, wish);
  const held = breaker.holds({ ...what, fields: drift.map(fieldText) });
  if (held) return { decision: blocked(held) };
  if (isRepair) return repair(change, { ...what, drift }, context);
  return isObserved(context) ? loop(change, { ...what, drift }, context) : {};
}

type Drifting = Omit<Intent, 'fields'> & { readonly drift: readonly FieldPath[] };

/** If a field was reverted often, the object is read, because only the server knows who changes it. */
function repair(change: Change, { drift, ...what }: Drifting, { writeGuard }: Remembered): Conflict {
  const reverts = drift.map(fieldText);
  const counts = writeGuard.breaker.count({ ...what, fields: reverts });
  const fields = drift
    .map((path) => ({ path, count: counts.get(fieldText(path)) ?? 0 }))
    .filter(({ count }) => count >= suspicious);
  if (fields.length === 0) return { news: { reverts } };
  const read = { do: 'read', desired: change.desired, why: 'conflict', change, suspects: { ...what, fields } } as const;
  return { decision: read, news: { reverts } };
}

/**
 * Gives fields up to the managers that change them after each revert.
 * @returns undefined if there is no such manager, or the object is gone
 */
export function lostFields(
  { desired, suspects: { fields, ...what } }: Extract<Read, { readonly why: 'conflict' }>,
  now: LiveObject | undefined,
  context: Remembered,
): Decision | undefined {
  const { controller, writeGuard } = context;
  if (!now) return undefined;
  const lost = fields.flatMap(({ path, count }) => {
    const writer = writerOf(now, path, managerOf(controller.name));
    const isSame = writeGuard.breaker.blame(what.id, fieldText(path), writer);
    return isSame && count >= rounds ? [{ field: fieldText(path), writer }] : [];
  });
  if (lost.length === 0) return undefined;
  const taken = lost.map(({ field, writer }) => `${field} of ${describe(desired)} to ${writer}`).toSorted();
  const message = `Left ${taken.join(' and ')}, which changes it after each revert: remove the field from one of the two`;
  return cut({ ...what, fields: lost.map(({ field }) => field) }, 'FieldManagerConflict', message, context);
}

function loop({ desired }: Change, { drift, ...what }: Drifting, context: Remembered): Conflict {
  const intent = { ...what, fields: [anything] };
  if ((context.writeGuard.breaker.count(intent).get(anything) ?? 0) <= endless) return {};
  const fields = drift.map(fieldText).filter((field) => !field.startsWith('metadata.annotations[reconstruct.dev/'));
  const message =
    `${describe(desired)}: the desired ${fields.toSorted().join(' and ') || 'content'} keeps changing without an ` +
    'edit: desire must depend only on the facts, not on time or randomness';
  return { decision: cut({ ...what, fields: [...fields, anything] }, 'WriteLoop', message, context) };
}

/** The blocker if an object was created too often and must not be recreated now. */
export function vanishing(wanted: Made): Blocker | undefined {
  return wanted.writeGuard.breaker.holds(makingOf(wanted));
}

/** An object was created. If that happened too often, it is not recreated after its next deletion. */
export function made(wanted: Made): Decision {
  if (!isObserved(wanted)) return rest;
  const { desired, writeGuard } = wanted;
  const intent = makingOf(wanted);
  if ((writeGuard.breaker.count(intent).get(anything) ?? 0) <= endless) return { ...rest, news: { isMissing: true } };
  const message = `${describe(desired)} was created ${endless} times in 5 minutes and is deleted each time: find out who deletes it`;
  const { news } = cut(intent, 'WriteLoop', message, wanted);
  return { ...rest, news: { ...news, isMissing: true } };
}

/** An object to create. */
type Made = Pick<Change, 'desired' | 'wish'> & Remembered;

/** An object to create has no UID yet. */
function makingOf({ desired, wish, resource: { metadata } }: Made): Intent {
  const id = `${metadata.uid} ${placeOf(desired)}`;
  return { id, wish: wishOf(wish), generation: metadata.generation ?? 0, fields: [anything] };
}

/**
 * True if an earlier reconcile observed the spec. The writes of the first reconciles after an edit are expected,
 * whatever their number, and are not counted.
 */
function isObserved({ controller, resource }: Pick<Remembered, 'controller' | 'resource'>): boolean {
  if (reportsElsewhere(controller)) return true; // it writes no generation
  return runtimeStatusOf(resource).observedGeneration === resource.metadata.generation;
}

function cut(
  intent: Intent,
  reason: BlockerReason,
  message: string,
  { writeGuard }: Pick<Remembered, 'writeGuard'>,
): Decision {
  return { ...blocked(writeGuard.breaker.cut(intent, reason, message)), news: { tripped: reason } };
}
