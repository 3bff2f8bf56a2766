import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker, BlockerReason } from '../controller/blocker.js';
import { runtimeStatusOf } from '../controller/custom-resource.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { driftOf } from '../fields/drift.js';
import { type FieldPath, fieldText, writerOf } from '../fields/field-path.js';
import { type LiveObject, type Manifest, nameOf } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import type { Intent } from '../memory/write-breaker.js';
import { placeOf } from '../ownership/inventory.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { type Desired, describe, fieldsOf } from '../rendering/render.js';

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

/** An object that has to be changed. */
export interface Change {
  readonly desired: Desired;
  readonly wish: Manifest;
  readonly live: LiveObject;
}

/**
 * Whether a change belongs to an endless series: a conflict with another field manager, or a loop of our own.
 * @returns the blocker if the change must wait, undefined if it may be sent
 */
export async function fieldConflict(change: Change, context: ReconcileContext): Promise<Blocker | undefined> {
  const { live, wish } = change;
  const { breaker } = context.writeGuard;
  const what = { id: live.metadata.uid, wish: wishOf(wish), generation: context.resource.metadata.generation ?? 0 };
  const isRepair = wishOf(live) === what.wish || breaker.isRepeated(what);
  if (!isRepair && !isObserved(context) && !breaker.knows(what.id)) return undefined;
  const drift = driftOf(live, wish);
  const held = breaker.holds({ ...what, fields: drift.map(fieldText) });
  if (held) return held;
  if (isRepair) return war(change, { ...what, drift }, context);
  return isObserved(context) ? loop(change, { ...what, drift }, context) : undefined;
}

type Drifting = Omit<Intent, 'fields'> & { readonly drift: readonly FieldPath[] };

async function war(
  { desired }: Change,
  { drift, ...what }: Drifting,
  context: ReconcileContext,
): Promise<Blocker | undefined> {
  const { cluster, controller, writeGuard, signal, telemetry } = context;
  const fields = drift.map(fieldText);
  telemetry.log.info({ ...fieldsOf(desired, context), fields }, 'Reverting drift');
  const counts = writeGuard.breaker.count({ ...what, fields });
  const countOf = (path: FieldPath) => counts.get(fieldText(path)) ?? 0;
  const suspect = drift.filter((path) => countOf(path) >= suspicious);
  const now = suspect.length > 0 && (await cluster.read(desired.kind, nameOf(desired.key), { signal }));
  if (!now) return undefined;
  const lost = suspect.flatMap((path) => {
    const writer = writerOf(now, path, managerOf(controller.name));
    const isSame = writeGuard.breaker.blame(what.id, fieldText(path), writer);
    return isSame && countOf(path) >= rounds ? [{ field: fieldText(path), writer }] : [];
  });
  if (lost.length === 0) return undefined;
  const taken = lost.map(({ field, writer }) => `${field} of ${describe(desired)} to ${writer}`).toSorted();
  const message = `Left ${taken.join(' and ')}, which changes it after each revert: remove the field from one of the two`;
  return cut(
    { ...what, fields: lost.map(({ field }) => field) },
    'FieldManagerConflict',
    { desired, message },
    context,
  );
}

function loop({ desired }: Change, { drift, ...what }: Drifting, context: ReconcileContext): Blocker | undefined {
  const intent = { ...what, fields: [anything] };
  if ((context.writeGuard.breaker.count(intent).get(anything) ?? 0) <= endless) return undefined;
  const fields = drift.map(fieldText).filter((field) => !field.startsWith('metadata.annotations[reconstruct.dev/'));
  const message =
    `${describe(desired)}: the desired ${fields.toSorted().join(' and ') || 'content'} keeps changing without an ` +
    'edit: desire must depend only on the facts, not on time or randomness';
  return cut({ ...what, fields: [...fields, anything] }, 'WriteLoop', { desired, message }, context);
}

/** The blocker if an object was created too often and must not be recreated now. */
export function vanishing(desired: Desired, wish: Manifest, context: ReconcileContext): Blocker | undefined {
  return context.writeGuard.breaker.holds(makingOf(desired, wish, context));
}

/** Records that an object was created. If that happened too often, it is not recreated after its next deletion. */
export function made(desired: Desired, wish: Manifest, context: ReconcileContext): void {
  if (!isObserved(context)) return;
  context.telemetry.log.info(fieldsOf(desired, context), 'Created missing object');
  const intent = makingOf(desired, wish, context);
  if ((context.writeGuard.breaker.count(intent).get(anything) ?? 0) <= endless) return;
  const message = `${describe(desired)} was created ${endless} times in 5 minutes and is deleted each time: find out who deletes it`;
  cut(intent, 'WriteLoop', { desired, message }, context);
}

/** An object to create has no UID yet. */
function makingOf(desired: Desired, wish: Manifest, { resource: { metadata } }: ReconcileContext): Intent {
  const id = `${metadata.uid} ${placeOf(desired)}`;
  return { id, wish: wishOf(wish), generation: metadata.generation ?? 0, fields: [anything] };
}

/**
 * True if an earlier reconcile observed the spec. The writes of the first reconciles after an edit are expected,
 * whatever their number, and are not counted.
 */
function isObserved({ controller, resource }: ReconcileContext): boolean {
  if (reportsElsewhere(controller)) return true; // it writes no generation
  return runtimeStatusOf(resource).observedGeneration === resource.metadata.generation;
}

function cut(
  intent: Intent,
  reason: BlockerReason,
  { desired, message }: { desired: Desired; message: string },
  { controller, writeGuard, telemetry }: ReconcileContext,
): Blocker {
  telemetry.breakerTripped({ controller: controller.name, kind: desired.kind.kind, reason });
  return writeGuard.breaker.cut(intent, reason, message);
}
