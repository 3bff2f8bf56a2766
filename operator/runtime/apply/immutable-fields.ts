import { readAgain, write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, leaving } from '../controller/blocker.js';
import { driftOf } from '../fields/drift.js';
import { type FieldPath, fieldText, managersOf, writerOf } from '../fields/field-path.js';
import { type ApiError, isApiError } from '../kubernetes/errors.js';
import { holdOn, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { holdsData } from '../rendering/object-policies.js';
import { type Desired, describe, fieldsOf } from '../rendering/render.js';
import { isWorkload } from '../rendering/waves.js';
import type { Change } from './field-conflict.js';

/**
 * Handles an object whose apply the API server rejected as invalid. An object that may be recreated is deleted. Any
 * other object stays unchanged.
 *
 * Guarantee: an object is deleted only if the desired state of the rejected fields has changed, and no other manager
 * has changed them. A change by another manager, or a value that the server added at creation, never deletes an object.
 *
 * @returns the blocker, if any. `gone` if the object is gone and can be recreated
 * @throws {ApiError} the rejection itself, if a new object would be rejected too. Conflict if the object has changed
 * since it was read
 */
export async function changeImmutable(
  refusal: ApiError,
  { desired, wish, live }: Change,
  context: ReconcileContext,
): Promise<Blocker | 'gone' | undefined> {
  if (!(await isFitForNew(desired, wish, context))) throw refusal;
  const now = await readAgain(desired, live, context);
  const by = causeOf({ wish, live: now, refused: refusal.fields }, managerOf(context.controller.name));
  if (by.server) return void context.appliedState.note(now, wish);
  const fields = refusal.fields.length > 0 ? refusal.fields.toSorted().join(', ') : 'a field';
  if (!by.others && desired.replace === 'recreate')
    return (await remove(desired, live, { ...context, why: fields })) ?? 'gone';
  const loss = holdsData(desired.kind) ? ', which deletes its data,' : '';
  const why = by.others
    ? `was changed by ${by.others} and is immutable: revert that change`
    : 'is immutable: revert the edit';
  const message = `${describe(desired)}: ${fields} ${why}, or delete the ${desired.kind.kind}${loss} to have it recreated`;
  return context.writeGuard.block(live, wish, message);
}

/** Why an object differs from its desired state, other than by a change of that state. */
interface Cause {
  /** The server added the value at creation, or later in our name. It is what the desired state means. */
  readonly server: boolean;
  /** The managers of the differing fields. Undefined if the desired state has changed and they have not. */
  readonly others: string | undefined;
}

interface Refused {
  readonly wish: Manifest;
  readonly live: LiveObject;
  /** The fields, as the API server names them. Empty if it names none. */
  readonly refused: readonly string[];
}

function causeOf({ wish, live, refused }: Refused, own: string): Cause {
  const all = driftOf(live, wish);
  const meant = all.filter((path) => refused.some((field) => meet(path, field)));
  const drift = meant.length > 0 ? meant : all;
  const owners = drift.map((path) => managersOf(live, path));
  const isTheirs = owners.some((some) => some.some((manager) => manager !== own));
  if (wishOf(live) !== wishOf(wish) && !isTheirs) return { server: false, others: undefined };
  const others = new Set(drift.map((path) => writerOf(live, path, own)));
  const isWhole = owners.every((some) => some.length > 0); // fields without an owner were removed
  return { server: !isTheirs && isWhole, others: [...others].toSorted().join(' and ') };
}

/** True if one path contains the other, up to items of lists, which the two name differently. */
function meet(path: FieldPath, field: string): boolean {
  const [here = [], there = []] = [fieldText(path), field].map((text) => text.split('[')[0]?.split('.'));
  return there.every((name, at) => at >= here.length || name === here[at]);
}

/**
 * Whether the API server would accept a new object like this. Then it rejects only the change. The server validates an
 * object before it checks whether the name is taken, so a dry run can fail only because of the name. The error messages
 * differ between kinds and prove nothing.
 */
async function isFitForNew({ kind }: Desired, wish: Manifest, context: ReconcileContext): Promise<boolean> {
  const { cluster, controller, signal } = context;
  try {
    await cluster.create(kind, wish, { manager: managerOf(controller.name), dryRun: true, signal });
    return false; // it is gone: the next reconcile creates it
  } catch (error) {
    return isApiError(error, 'AlreadyExists');
  }
}

/** The pods of a workload are deleted first, so that old and new pods never run at the same time. */
async function remove(
  desired: Desired,
  live: LiveObject,
  context: ReconcileContext & { readonly why: string },
): Promise<Blocker | undefined> {
  const { cluster, controller, resource, recorder, telemetry, signal, why } = context;
  const { kind } = desired;
  const { uid, resourceVersion } = live.metadata;
  telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
  const propagation = isWorkload(kind) ? 'Foreground' : 'Background';
  const send = () => cluster.remove(kind, live.metadata, { uid, resourceVersion }, { signal, propagation });
  const left = await write(desired, context, send);
  telemetry.log.info({ ...fieldsOf(desired, context), why }, 'Deleted object to recreate it');
  const note = `Deleted ${describe(desired)} to recreate it: ${why} is immutable`;
  recorder.record(controller, resource, { type: 'Normal', reason: 'Recreated', note });
  return left && leaving(`${describe(desired)} is being deleted${holdOn(left)}`);
}
