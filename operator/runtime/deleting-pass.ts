import { type Applying, apply } from './apply.js';
import { complete } from './complete.js';
import { conclude, earliest } from './conclude.js';
import { departing, isReleased, overdue, releaseOf, untilOverdue } from './deletion.js';
import { doubtsOf, settleDoubts } from './doubts.js';
import { isFenced, isOutdated, messageOf, UnfinishedError } from './errors.js';
import { isOnlyNews } from './failure.js';
import { isExternal } from './finalization.js';
import { setFinalizer } from './finalizer.js';
import { isGone } from './forget.js';
import { hold, loosen } from './hold.js';
import { letGo } from './let-go.js';
import { linked } from './linked.js';
import { leavingRecheck, type Obstacle } from './obstacle.js';
import { atOnce } from './outdone.js';
import { planOf } from './plan.js';
import type { Leftover } from './prune.js';
import type { Desired } from './render.js';
import { tell } from './tell.js';
import { remaining, tidy, undoDistant } from './undo.js';
import type { Result } from './verdict.js';
import { viewOf } from './view.js';
import type { View, Workplace } from './workplace.js';

/** How far the undoing of a resource got. */
interface Undone {
  readonly rejected?: Result['rejected'];
  /** Undefined when that is not known. */
  readonly desired: readonly Desired[] | undefined;
  readonly obstacles: readonly Obstacle[];
  readonly left: readonly Leftover[];
  readonly seen?: View;
  /** True when the pass itself has changed what `desire` looked at. */
  readonly isOutdone?: boolean;
}

/**
 * One pass over a resource that is being deleted and that our finalizer holds. Deletion is one more desired state: when
 * nothing is wanted and nothing is left, the resource may go; or when a person or its deadline lets it go.
 * @returns milliseconds after which to look again at the latest
 */
export async function deletingPass(applying: Applying, place: Workplace): Promise<number | undefined> {
  const { controller, owner } = applying;
  const now = place.clock.now();
  const isOver = releaseOf(controller, owner, { left: [], doubts: [], now }) !== undefined;
  if (isOver && !isReleased(owner)) await tried(applying, place);
  const release = releaseOf(controller, owner, { left: ownedBy(applying), doubts: doubtsOf(applying), now });
  const nothing = { recorded: [], version: owner.metadata.resourceVersion };
  if (release) {
    await setFinalizer(false, applying, nothing);
    return void tell(release, place, owner);
  }

  const view = await looked(applying, place);
  if (isGone(applying)) return undefined;
  const {
    rejected,
    desired,
    obstacles,
    left,
    seen = view,
    isOutdone,
  } = await (controller.finalizes ? finalize : undoFar)(applying, view);
  if (desired?.length === 0 && left.length === 0) return void (await letGo(nothing, applying));
  const late = overdue(controller, owner, { left: ownedBy(applying), now });
  if (!controller.finalizes && late.length === 0) return leavingRecheck; // nothing to say of it
  const result = { rejected, obstacles: [...late, ...obstacles], departing: departing(ownedBy(applying)) };
  const recheck = await conclude(applying, seen, result, desired);
  return earliest(isOutdone ? atOnce : recheck, untilOverdue(controller, owner, now));
}

/** What a pass over it goes by. Nothing of that may keep what is let go: it can be what fails for ever. */
async function looked(applying: Applying, place: Workplace): Promise<View> {
  await settleDoubts(applying);
  await complete(applying); // what goes need not be whole
  return viewOf(applying.owner, place, { signal: applying.signal });
}

/** Milliseconds: a server that never answers must leave time to let the resource go. */
const trialLasts = 30_000;

/**
 * Before it is given up: while no operator ran, nobody has begun. Once, and again where it has met a newer state, but not
 * for ever.
 */
async function tried(whole: Applying, place: Workplace): Promise<void> {
  const { signal, abort, release } = linked(whole.signal);
  const cancel = place.clock.after(trialLasts, () => abort(new Error(`it took longer than ${trialLasts} ms`)));
  const applying = { ...whole, signal };
  try {
    const view = await looked(applying, place);
    await (applying.controller.finalizes ? finalize : undoFar)(applying, view);
  } catch (error) {
    const isCut = whole.signal?.aborted || isFenced(error) || isOutdated(error) || error instanceof UnfinishedError;
    if (isCut || isOnlyNews(error, (place.failures ?? 0) + 1)) throw error;
    const told = { controller: applying.controller.name, error: messageOf(error) };
    place.telemetry.log.warn(told, 'what is given up could not be undone');
  } finally {
    cancel();
    release();
  }
}

async function finalize(applying: Applying, view: View): Promise<Undone> {
  const { controller, owner } = applying;
  const { desired, rejected, view: seen, isOutdone } = await planOf(applying, view);
  // What to undo, and how, only the controller knows: what it does not tell stays.
  if (!desired) {
    const left = await remaining(applying);
    const isNothing = left.length === 0 && !isExternal(controller, owner);
    return { rejected, desired: isNothing ? [] : undefined, obstacles: [], left };
  }
  const inventory = await hold(desired, applying);
  const obstacles = await apply(desired, applying);
  const done = { rejected, desired, obstacles, seen };
  if (obstacles.length > 0) return { ...done, left: ownedBy(applying), isOutdone: isOutdone() };
  const left = await tidy(inventory, desired, applying);
  if (desired.length + left.length > 0) await loosen(inventory, { desired, left }, applying);
  return { ...done, left, isOutdone: isOutdone() };
}

/** What owner references reach is the garbage collector's business where the controller does not finalize. */
async function undoFar(applying: Applying): Promise<Undone> {
  return { desired: [], obstacles: [], left: await undoDistant(applying) };
}

function ownedBy({ controller, owner, stores }: Applying): readonly Leftover[] {
  return stores.ownedBy(owner, controller);
}
