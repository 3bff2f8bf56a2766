import { apply } from '../apply/apply.js';
import type { Leftover } from '../apply/prune.js';
import { linked } from '../concurrency/abort-signals.js';
import { settleUnconfirmedWrites, unconfirmedWritesOf } from '../context/object-writes.js';
import {
  type ControllerContext,
  isGone,
  type Observation,
  type ReconcileContext,
} from '../context/reconcile-context.js';
import { type Blocker, terminatingRequeue } from '../controller/blocker.js';
import { isExternal, isReleased, untilOverdue } from '../controller/finalization.js';
import { addFinalizer, trimInventory } from '../deletion/add-finalizer.js';
import { cleanUp, cleanUpDistant, remaining } from '../deletion/cleanup.js';
import { departing, overdue, releaseOf } from '../deletion/deletion-progress.js';
import { setFinalizer } from '../deletion/finalizer.js';
import { removeFinalizer } from '../deletion/remove-finalizer.js';
import { isFenced, isOutdated, messageOf, UnfinishedError } from '../kubernetes/errors.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { complete } from '../observe/partial-objects.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { Desired } from '../rendering/render.js';
import { isOnlyNews } from '../status/failure-status.js';
import type { Result } from '../status/status-summary.js';
import { earliest, updateStatus } from '../status/update-status.js';
import { planOf } from './plan.js';

/** How far the undoing of a resource got. */
interface Undone {
  readonly rejected?: Result['rejected'];
  /** Undefined when that is not known. */
  readonly desired: readonly Desired[] | undefined;
  readonly blockers: readonly Blocker[];
  readonly left: readonly Leftover[];
  readonly seen?: Observation;
  /** True when the pass itself has changed what `desire` looked at. */
  readonly isOutdone?: boolean;
}

/**
 * One pass over a resource that is being deleted and that our finalizer holds. Deletion is one more desired state: when
 * nothing is wanted and nothing is left, the resource may go; or when a person or its deadline lets it go.
 * @returns milliseconds after which to look again at the latest
 */
export async function finalize(applying: ReconcileContext, place: ControllerContext): Promise<number | undefined> {
  const { controller, owner } = applying;
  const now = place.clock.now();
  const isOver = releaseOf(controller, owner, { left: [], doubts: [], now }) !== undefined;
  if (isOver && !isReleased(owner)) await tried(applying, place);
  const release = releaseOf(controller, owner, { left: ownedBy(applying), doubts: unconfirmedWritesOf(applying), now });
  const nothing = { recorded: [], version: owner.metadata.resourceVersion };
  if (release) {
    await setFinalizer(false, applying, nothing);
    return void recordEvent(release, place, owner);
  }

  const view = await looked(applying, place);
  if (isGone(applying)) return undefined;
  const {
    rejected,
    desired,
    blockers,
    left,
    seen = view,
    isOutdone,
  } = await (controller.finalizes ? undoOwned : undoFar)(applying, view);
  if (desired?.length === 0 && left.length === 0) return void (await removeFinalizer(nothing, applying));
  const late = overdue(controller, owner, { left: ownedBy(applying), now });
  if (!controller.finalizes && late.length === 0) return terminatingRequeue; // nothing to say of it
  const result = { rejected, blockers: [...late, ...blockers], departing: departing(ownedBy(applying)) };
  const recheck = await updateStatus(applying, seen, result, desired);
  return earliest(isOutdone ? immediateRecheck : recheck, untilOverdue(controller, owner, now));
}

/** What a pass over it goes by. Nothing of that may keep what is let go: it can be what fails for ever. */
async function looked(applying: ReconcileContext, place: ControllerContext): Promise<Observation> {
  await settleUnconfirmedWrites(applying);
  await complete(applying); // what goes need not be whole
  return observe(applying.owner, place, { signal: applying.signal });
}

/** Milliseconds: a server that never answers must leave time to let the resource go. */
const trialLasts = 30_000;

/**
 * Before it is given up: while no operator ran, nobody has begun. Once, and again where it has met a newer state, but not
 * for ever.
 */
async function tried(whole: ReconcileContext, place: ControllerContext): Promise<void> {
  const { signal, abort, release } = linked(whole.signal);
  const cancel = place.clock.after(trialLasts, () => abort(new Error(`it took longer than ${trialLasts} ms`)));
  const applying = { ...whole, signal };
  try {
    const view = await looked(applying, place);
    await (applying.controller.finalizes ? undoOwned : undoFar)(applying, view);
  } catch (error) {
    const isCut = whole.signal?.aborted || isFenced(error) || isOutdated(error) || error instanceof UnfinishedError;
    if (isCut || isOnlyNews(error, (place.failures ?? 0) + 1)) throw error;
    const told = { controller: applying.controller.name, error: messageOf(error) };
    place.telemetry.log.warn(told, 'Finalizing failed, releasing the resource');
  } finally {
    cancel();
    release();
  }
}

async function undoOwned(applying: ReconcileContext, view: Observation): Promise<Undone> {
  const { controller, owner } = applying;
  const { desired, rejected, view: seen, isOutdone } = await planOf(applying, view);
  // What to undo, and how, only the controller knows: what it does not tell stays.
  if (!desired) {
    const left = await remaining(applying);
    const isNothing = left.length === 0 && !isExternal(controller, owner);
    return { rejected, desired: isNothing ? [] : undefined, blockers: [], left };
  }
  const inventory = await addFinalizer(desired, applying);
  const blockers = await apply(desired, applying);
  const done = { rejected, desired, blockers, seen };
  if (blockers.length > 0) return { ...done, left: ownedBy(applying), isOutdone: isOutdone() };
  const left = await cleanUp(inventory, desired, applying);
  if (desired.length + left.length > 0) await trimInventory(inventory, { desired, left }, applying);
  return { ...done, left, isOutdone: isOutdone() };
}

/** What owner references reach is the garbage collector's business where the controller does not finalize. */
async function undoFar(applying: ReconcileContext): Promise<Undone> {
  return { desired: [], blockers: [], left: await cleanUpDistant(applying) };
}

function ownedBy({ controller, owner, stores }: ReconcileContext): readonly Leftover[] {
  return stores.ownedBy(owner, controller);
}
