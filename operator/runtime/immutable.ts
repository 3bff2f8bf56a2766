import type { Applying } from './apply.js';
import { holdOn } from './deletion.js';
import { write } from './doubts.js';
import { type ApiError, isApiError } from './errors.js';
import { managerOf } from './inventory.js';
import type { LiveObject, Manifest } from './object.js';
import { leaving, type Obstacle } from './obstacle.js';
import { type Desired, describe, fieldsOf } from './render.js';
import { holdsData } from './replace-policy.js';
import { isWorkload } from './waves.js';

/**
 * What becomes of an object whose apply the API server called invalid: an object that may be recreated is removed,
 * another one is left as it is.
 *
 * @returns what is in the way; undefined when the object is gone and can be made again
 * @throws {ApiError} the refusal itself, when the wish would be refused for a new object too
 */
export async function changeImmutable(
  refusal: ApiError,
  { desired, wish, live }: { desired: Desired; wish: Manifest; live: LiveObject },
  applying: Applying,
): Promise<Obstacle | undefined> {
  if (!(await isFitForNew(desired, wish, applying))) throw refusal;
  const fields = refusal.fields.length > 0 ? refusal.fields.toSorted().join(', ') : 'a field';
  if (desired.replace === 'recreate') return remove(desired, live, { ...applying, why: fields });
  const loss = holdsData(desired.kind) ? ', which takes its data with it,' : '';
  const message =
    `${fields} of ${describe(desired)} cannot be changed: undo the edit, ` +
    `or delete the ${desired.kind.kind}${loss} to have it made again`;
  return applying.restraint.block(live, wish, message);
}

/**
 * Whether the API server would take the wish for a new object: then it is the change that it refuses. It checks an
 * object before it looks whether the name is taken, so that the name is all that a dry run can fail for. What it says
 * of a field differs from kind to kind and is no sign.
 */
async function isFitForNew({ kind }: Desired, wish: Manifest, applying: Applying): Promise<boolean> {
  const { cluster, controller, signal } = applying;
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
  applying: Applying & { readonly why: string },
): Promise<Obstacle | undefined> {
  const { cluster, controller, owner, recorder, telemetry, signal, why } = applying;
  const { kind } = desired;
  const { uid, resourceVersion } = live.metadata;
  telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
  const propagation = isWorkload(kind) ? 'Foreground' : 'Background';
  const send = () => cluster.remove(kind, live.metadata, { uid, resourceVersion }, { signal, propagation });
  const left = await write(desired, applying, send);
  telemetry.log.info({ ...fieldsOf(desired, controller), why }, 'object recreated');
  const note = `${describe(desired)} is made again: ${why} cannot be changed`;
  recorder.tell(controller, owner, { type: 'Normal', reason: 'Recreated', note });
  return left && leaving(`${describe(desired)} is being deleted${holdOn(left)}`);
}
