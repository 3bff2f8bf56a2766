import type { Kept } from '../cache/stores.js';
import { linked } from '../concurrency/abort-signals.js';
import { unconfirmedWritesOf } from '../context/object-writes.js';
import { isGone, type Observation, type ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, terminatingRequeue } from '../controller/blocker.js';
import { conditionOf } from '../controller/conditions.js';
import { hasFinalizer, isExternal, isReleased, untilOverdue } from '../controller/finalization.js';
import { cleanUp, releaseObjects } from '../deletion/cleanup.js';
import { deletionProgress, releaseOf } from '../deletion/deletion-progress.js';
import { removeFinalizer, setFinalizer } from '../deletion/finalizer.js';
import { type Called, decideCalls } from '../external/decide-calls.js';
import { isFenced, isOutdated, messageOf, UnfinishedError } from '../kubernetes/errors.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { observe } from '../observe/observe.js';
import { recordEvent } from '../ports/event-recorder.js';
import { whyAllStays } from '../rendering/keep.js';
import type { assess } from '../status/assess.js';
import { isOnlyNews } from '../status/failure-status.js';
import type { Result } from '../status/status-summary.js';
import type { updateStatus } from '../status/update-status.js';
import { type Applied, applyPlan } from './apply-plan.js';
import { desire, type Plan } from './desire.js';

/** How far the cleanup of a resource got. */
type Undone = Pick<Plan, 'desired' | 'observation' | 'rejected'> &
  Partial<Pick<Plan, 'dependencies' | 'keeps'>> &
  Pick<Applied, 'blockers' | 'left' | 'held'> &
  Partial<Called> & { readonly isSuperseded?: boolean };

/** How far a reconcile got, for its report. */
export interface Reached {
  readonly plan: Parameters<typeof assess>[1] & Parameters<typeof updateStatus>[1];
  readonly applied: Parameters<typeof assess>[2];
  /** Reports whether the next reconcile has to follow at once. @default - it need not */
  readonly isSuperseded?: () => boolean;
  /** Milliseconds until the next reconcile at the latest. @default - what the report requests */
  readonly latest?: number | undefined;
  /** Hands over the call that may be sent once the report is written. */
  readonly send?: (() => void) | undefined;
}

/**
 * The first stages for a resource that is being deleted. Deletion is one more desired state: the finalizer is removed when
 * nothing is desired and nothing is left, or when a person or the deadline releases the resource.
 * @returns if nothing is to be reported, milliseconds until the next reconcile at the latest, or undefined
 */
export async function finalize(context: ReconcileContext): Promise<Reached | number | undefined> {
  const { clock, controller, resource } = context;
  if (!hasFinalizer(resource, controller)) return staleFinalizer(context);
  const now = clock.now();
  const isOver = releaseOf(controller, resource, { left: [], unconfirmedWrites: [], now }) !== undefined;
  if (isOver && !isReleased(resource)) await tryOnce(context);
  const release = releaseOf(controller, resource, {
    left: ownedBy(context),
    unconfirmedWrites: unconfirmedWritesOf(context),
    now,
  });
  const nothing = { recorded: [], version: resource.metadata.resourceVersion };
  if (release) {
    await releaseObjects(context);
    await setFinalizer(false, context, nothing);
    return void recordEvent(release, context, resource);
  }

  const observation = await observe(context);
  if (isGone(context)) return undefined;
  const undone = await undo(context, observation);
  const isUndone = undone.desired?.length === 0 && undone.left.length === 0;
  const { keeps = [], unsettled } = undone;
  // What `desire` would undo may not be known, also if no object is left.
  const kept = whyAllStays(keeps);
  if (isUndone && unsettled === undefined && kept === undefined) return void (await removeFinalizer(nothing, context));
  const rest = { left: ownedBy(context), external: unsettled, kept };
  const { late, departing } = deletionProgress(controller, resource, { ...rest, now });
  if (!controller.finalizes && late.length === 0) return terminatingRequeue; // nothing to report
  if (isGone(context)) return undefined;
  const blockers = [...late, ...undone.blockers];
  const { calls, held, isSuperseded = false, send } = undone;
  const applied = { blockers, departing, calls, held };
  return {
    ...{ plan: undone, applied, send },
    isSuperseded: () => isSuperseded,
    latest: untilOverdue(controller, resource, now),
  };
}

/** Milliseconds. A server that never answers must leave time to release the resource. */
const trialLasts = 30_000;

/**
 * Tries the cleanup before the resource is released, because no cleanup may have started while no operator ran. It is
 * tried once, and again after a newer state, but not forever. Its failure must not block the release, because it may
 * fail forever.
 */
async function tryOnce(whole: ReconcileContext): Promise<void> {
  const { clock, controller, failures = 0, telemetry } = whole;
  const { signal, abort, release } = linked(whole.signal);
  const cancel = clock.after(trialLasts, () => abort(new Error(`it took longer than ${trialLasts} ms`)));
  const context = { ...whole, signal };
  try {
    await undo(context, await observe(context));
  } catch (error) {
    const isCut = whole.signal?.aborted || isFenced(error) || isOutdated(error) || error instanceof UnfinishedError;
    if (isCut || isOnlyNews(error, failures + 1)) throw error;
    const fields = { controller: controller.name, error: messageOf(error) };
    telemetry.log.warn(fields, 'Finalizing failed, releasing the resource');
  } finally {
    cancel();
    release();
  }
}

async function undo(context: ReconcileContext, observation: Observation): Promise<Undone> {
  const { controller, resource } = context;
  // If the controller does not finalize, the garbage collector deletes what owner references reach.
  if (!controller.finalizes) {
    const { left } = await cleanUp(context, { controller: { ...controller, owns: [] } });
    return { desired: [], blockers: [], held: [], left, observation };
  }
  const plan = await desire(context, observation);
  if (plan.desired) {
    const applied = await applyPlan(context, plan);
    const called = await decideCalls(context, plan, applied);
    return { ...plan, ...applied, ...called, isSuperseded: plan.isSuperseded() };
  }
  // Only the controller knows what to clean up and how. Without its desired state everything stays.
  const { left } = await cleanUp(context, { keeps: [{ why: 'the desired state is not known' }] });
  const isNothing = left.length === 0 && !isExternal(controller, resource);
  const { calls: _, ...known } = plan;
  return {
    ...known,
    observation,
    desired: isNothing ? [] : undefined,
    blockers: [],
    held: [],
    left,
    isSuperseded: false,
  };
}

function ownedBy({ controller, resource, stores }: ReconcileContext): readonly Kept[] {
  return stores.ownedBy(resource, controller);
}

/** Milliseconds. Any change to the resource is reported earlier. */
const staleRecheck = 600_000;

/** True if a finalizer with the controller's name blocks the resource, although the controller never cleans up. */
function isStaleFinalizer({ controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>): boolean {
  return controller.isPrimary && resource.metadata.finalizers?.includes(finalizerOf(controller.name)) === true;
}

/**
 * What is reported of it for a resource that is being deleted. An earlier version of the controller, or another user, added
 * the finalizer. Only a person can know what it was to clean up, so it is not removed.
 */
async function staleFinalizer(context: ReconcileContext): Promise<Reached | undefined> {
  const { controller } = context;
  if (!isStaleFinalizer(context)) return undefined; // the garbage collector deletes its objects
  const observation = await observe(context);
  const [part] = observation.partial ?? [];
  if (part) throw part.why;
  if (isGone(context)) return undefined;
  const message =
    `Finalizer ${finalizerOf(controller.name)} blocks the deletion, and the controller has nothing to clean up: an earlier version of it or ` +
    'another user added the finalizer; check that nothing is left to clean up, and remove the finalizer';
  const blocker: Blocker = { reason: 'StaleFinalizer', message, requeueAfter: staleRecheck };
  return {
    plan: { observation, rejected: rejectionIn(observation) },
    applied: { blockers: [blocker], held: [] },
  };
}

/** The last reported rejection of the spec. Nothing is rendered any more that would show it. */
function rejectionIn({ reported }: Observation): Result['rejected'] {
  const accepted = conditionOf({ status: reported }, 'Accepted');
  return accepted?.status === 'False' ? accepted : undefined;
}
