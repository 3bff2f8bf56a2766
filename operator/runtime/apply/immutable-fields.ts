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
 * What becomes of an object whose apply the API server called invalid: an object that may be recreated is removed,
 * another one is left as it is.
 *
 * Guarantee: what is removed differs from the wish, in what was refused, because the wish has changed, and nobody else changed
 * anything there. What somebody else changed, or the server completed when it was made, takes no object away.
 *
 * @returns what is in the way, if anything is; `gone` when the object is, and can be made again
 * @throws {ApiError} the refusal itself, when the wish would be refused for a new object too; Conflict when the object has
 * changed since it was looked at
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
  const loss = holdsData(desired.kind) ? ', which takes its data with it,' : '';
  const why = by.others
    ? `cannot be put back since ${by.others} changed it: undo that`
    : 'cannot be changed: undo the edit';
  const message = `${fields} of ${describe(desired)} ${why}, or delete the ${desired.kind.kind}${loss} to have it made again`;
  return context.writeGuard.block(live, wish, message);
}

/** Who made an object differ from its wish, other than an edit of the wish. */
interface Cause {
  /** It was completed when it was made, or later in our name: it is what the wish means. */
  readonly server: boolean;
  /** The managers of what differs; undefined where the wish has changed, and they did not. */
  readonly others: string | undefined;
}

interface Refused {
  readonly wish: Manifest;
  readonly live: LiveObject;
  /** Fields, as the API server names them; empty where it names none. */
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
  const isWhole = owners.every((some) => some.length > 0); // what nobody owns was taken away
  return { server: !isTheirs && isWhole, others: [...others].toSorted().join(' and ') };
}

/** True where one of both is in the other, as far as items of lists, which both call otherwise. */
function meet(path: FieldPath, field: string): boolean {
  const [here = [], there = []] = [fieldText(path), field].map((text) => text.split('[')[0]?.split('.'));
  return there.every((name, at) => at >= here.length || name === here[at]);
}

/**
 * Whether the API server would take the wish for a new object: then it is the change that it refuses. It checks an
 * object before it looks whether the name is taken, so that the name is all that a dry run can fail for. What it says
 * of a field differs from kind to kind and is no sign.
 */
async function isFitForNew({ kind }: Desired, wish: Manifest, context: ReconcileContext): Promise<boolean> {
  const { cluster, controller, signal } = context;
  try {
    await cluster.create(kind, wish, { manager: managerOf(controller.name), dryRun: true, signal });
    return false; // it is gone: the next pass makes it
  } catch (error) {
    return isApiError(error, 'AlreadyExists');
  }
}

/** Of a workload the pods go first: the old ones and the new ones must not run at the same time. */
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
  telemetry.log.info({ ...fieldsOf(desired, context), why }, 'Recreated object');
  const note = `${describe(desired)} is made again: ${why} cannot be changed`;
  recorder.record(controller, resource, { type: 'Normal', reason: 'Recreated', note });
  return left && leaving(`${describe(desired)} is being deleted${holdOn(left)}`);
}
