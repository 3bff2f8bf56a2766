import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker, BlockerReason } from '../controller/blocker.js';
import { runtimeStatusOf } from '../controller/custom-resource.js';
import { driftOf } from '../fields/drift.js';
import { type FieldPath, fieldText, writerOf } from '../fields/field-path.js';
import { type LiveObject, type Manifest, nameOf } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import type { Intent } from '../memory/write-breaker.js';
import { placeOf } from '../ownership/inventory.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { type Desired, describe, fieldsOf } from '../rendering/render.js';

/** Times that a field is taken back before we give in; by whom is asked from the third on. */
const rounds = 5;
const suspicious = 3;
/** Times that one object is written for a spec that was settled before we doubt that it ever ends. */
const endless = 20;
/** Where it does not matter which field it is. */
const anything = '';

/** Of an object that has to be changed. */
export interface Change {
  readonly desired: Desired;
  readonly wish: Manifest;
  readonly live: LiveObject;
}

/**
 * Whether a change is one of a row that does not end: a war with another manager, or a loop of our own.
 * @returns why the change must wait; undefined when it may be made
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
  const taken = lost.map(({ field, writer }) => `${field} of ${describe(desired)} back to ${writer}`).toSorted();
  const message = `gave ${taken.join(' and ')}, who changes it again each time: let one of the two leave it alone`;
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
    `${fields.toSorted().join(' and ') || 'what is stated'} of ${describe(desired)} changes without end and without an ` +
    'edit: what a controller desires must follow from the facts, not from time or chance';
  return cut({ ...what, fields: [...fields, anything] }, 'WriteLoop', { desired, message }, context);
}

/** Why an object is not made again for now, if it is not: it was made too often. */
export function vanishing(desired: Desired, wish: Manifest, context: ReconcileContext): Blocker | undefined {
  return context.writeGuard.breaker.holds(makingOf(desired, wish, context));
}

/** Takes note of an object that was made: if that was too often, it is not made again once it is gone. */
export function made(desired: Desired, wish: Manifest, context: ReconcileContext): void {
  if (!isObserved(context)) return;
  context.telemetry.log.info(fieldsOf(desired, context), 'Created missing object');
  const intent = makingOf(desired, wish, context);
  if ((context.writeGuard.breaker.count(intent).get(anything) ?? 0) <= endless) return;
  const message = `${describe(desired)} was made ${endless} times in 5 minutes and never stays: find out who deletes it`;
  cut(intent, 'WriteLoop', { desired, message }, context);
}

/** An object that is to be made has no UID yet. */
function makingOf(desired: Desired, wish: Manifest, { resource: { metadata } }: ReconcileContext): Intent {
  const id = `${metadata.uid} ${placeOf(desired)}`;
  return { id, wish: wishOf(wish), generation: metadata.generation ?? 0, fields: [anything] };
}

/**
 * True when the spec was dealt with by an earlier pass. What the first passes after an edit write is what was asked
 * for, however much it is, and is not counted.
 */
function isObserved({ resource }: ReconcileContext): boolean {
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
