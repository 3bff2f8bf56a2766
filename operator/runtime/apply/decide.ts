import { isAbridged, isPosted } from '../cache/received-object.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { leaving } from '../controller/blocker.js';
import { merged } from '../fields/merge.js';
import { withoutRefused } from '../fields/refused-fields.js';
import { isApiError, newer } from '../kubernetes/errors.js';
import { hasSafeIntegers } from '../kubernetes/json.js';
import { holdOn, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { rested, uncounted } from '../memory/write-breaker.js';
import { hasSameFieldSet } from '../ownership/ownership-labels.js';
import { type Desired, describe } from '../rendering/render.js';
import { othersObject } from './adoption.js';
import { creation, rejectionOf } from './creation.js';
import { type Answer, blocked, type Change, type Decision, type Read, type RefusedChange, rest } from './decision.js';
import { fieldConflict, lostFields } from './field-conflict.js';
import { handover, leavesReplicas } from './field-handover.js';
import { immutableChange } from './immutable-fields.js';
import { markings } from './made-once-objects.js';
import { joining, withOwnersOf } from './shared-objects.js';

/** An object that `desire` rendered, and what the process remembers of its writes. */
export interface Wanted
  extends Pick<ReconcileContext, 'controller' | 'resource' | 'appliedState' | 'writeGuard'>,
    Pick<Change, 'desired' | 'wish'> {}

/**
 * What happens to an object next, by the answer to the last request. It sends nothing and remembers nothing: both are for
 * `send.ts` to do.
 * @throws the error of the last request, if no decision follows from it
 */
export function decide(wanted: Wanted, { to, live, error }: Answer): Decision {
  if (to === undefined && live) return found(wanted, live);
  if (to === undefined || to.do === 'create') return creation(to, error, wanted);
  if (to.do === 'apply') return error === undefined ? applied(to.change, live, wanted) : refused(to, error, wanted);
  if (to.do === 'patch' && to.change)
    return error === undefined
      ? over(to.change, live ?? to.live)
      : refused({ change: to.change, looked: to.change.live }, error, wanted);
  if (to.do === 'read' && to.why === 'handover' && error !== undefined)
    return refused({ change: to.change, looked: to.change.live }, error, wanted);
  if (error !== undefined) throw error;
  if (to.do === 'read') return afterRead(to, live, wanted);
  if (to.do === 'recreate') {
    if (live) return blocked(leaving(`${describe(to.desired)} is being deleted${holdOn(live)}`));
    return { do: 'create', desired: to.desired, wish: to.wish, why: 'again' };
  }
  return to.do === 'patch' && to.why === 'join' ? kept(wanted, live ?? to.live) : rest;
}

function afterRead(to: Read, live: LiveObject | undefined, wanted: Wanted): Decision {
  const { desired } = wanted;
  switch (to.why) {
    case 'taken':
      if (!live) throw newer(`${describe(desired)} was deleted while it was being created`);
      return found(wanted, live);
    case 'part':
      if (!live) throw newer(`${describe(desired)} was deleted before it could be adopted`);
      return found(wanted, live);
    case 'conflict':
      return resolved(lostFields(to, live, wanted), to.change, wanted);
    case 'handover':
      return handover(to.change, live ?? to.same, wanted);
    case 'refusal':
      return withoutFields(to.refused, live ?? to.same, wanted);
    case 'immutable':
      return immutableChange(to.refused, live ?? to.same, wanted);
  }
}

function found(wanted: Wanted, live: LiveObject): Decision {
  const { desired } = wanted;
  const others = othersObject(desired, live, wanted);
  if (others) return blocked(others);
  if (live.metadata.deletionTimestamp) return blocked(leaving(`${describe(desired)} is being deleted${holdOn(live)}`));
  // It had no owner until now, so only its metadata is kept. Its content decides how it is changed.
  if (isPartial(live)) return { do: 'read', desired, why: 'part' };
  const join = desired.kind.shared && joining(desired, live, wanted);
  return join || kept(wanted, live);
}

/** For an object that the resource owns. */
function kept(wanted: Wanted, live: LiveObject): Decision {
  const { desired, appliedState, writeGuard } = wanted;
  const wish = desired.kind.shared ? withOwnersOf(live, wanted.wish) : wanted.wish;
  const change: Change = { desired, wish, live };
  if (desired.once) return markings(change, wanted);
  if (appliedState.has(live, wish)) return atRest(live, wanted);
  const known = writeGuard.blocked(live, wish);
  if (known) return blocked(known);
  const decision = resolved(fieldConflict(change, wanted), change, wanted);
  return { ...decision, memo: { ...decision.memo, unblocked: live } };
}

/** What follows from a conflict, or the change itself. */
function resolved(
  { decision = undefined, ...told }: ReturnType<typeof fieldConflict>,
  change: Change,
  wanted: Wanted,
): Decision {
  return { ...told, ...(decision ?? handedOver(change, wanted)) };
}

/** The object is as desired. The blocker that is still to be reported, if a suspension has just ended. */
function atRest(live: LiveObject, { resource, writeGuard }: Wanted): Decision {
  const { breaker } = writeGuard;
  const { uid: id } = live.metadata;
  const before = breaker.of(id);
  if (!before) return rest;
  const { blocker, series } = rested(before, resource.metadata.generation ?? 0, breaker.clock.monotonic());
  const decision = blocker ? blocked(blocker) : rest;
  return series === before ? decision : { ...decision, memo: { writes: { id, series } } };
}

function handedOver(change: Change, wanted: Wanted): Decision {
  const { desired, live, wish } = change;
  const handsOver = isPosted(live, managerOf(wanted.controller.name)) || leavesReplicas(live, wish);
  if (handsOver && !hasSameFieldSet(live, wish)) return { do: 'read', desired, why: 'handover', change, same: live };
  return over(change, live);
}

function over(change: Change, looked: LiveObject): Decision {
  return { do: 'apply', change, looked, whole: valuesIn(change.desired, change.wish, looked) };
}

function applied({ wish, live: before }: Change, live: LiveObject | undefined, wanted: Wanted): Decision {
  const decision = atRest(before, wanted);
  return live ? { ...decision, memo: { ...decision.memo, applied: { live, wish } } } : decision;
}

/** The API server did not carry the change out. @throws the error, unless the object can do without it */
function refused(
  {
    change,
    looked,
    refused: leaner,
  }: { readonly change: Change; readonly looked: LiveObject; readonly refused?: RefusedChange },
  error: unknown,
  wanted: Wanted,
): Decision {
  const { desired, live, wish } = change;
  const refusal = isApiError(error, 'Invalid') ? error : undefined;
  if (leaner && refusal) return trial(leaner, wanted);
  if (leaner) throw error;
  const rejection = refusal && desired.replace === 'recreate' ? undefined : rejectionOf(error, desired, true);
  if (rejection) return { ...blocked(rejection), memo: { blocked: { live, wish, blocker: rejection } } };
  if (!refusal) throw error;
  const what: RefusedChange = { ...change, looked, refusal };
  if (isAbridged(looked)) return { do: 'read', desired, why: 'refusal', refused: what, same: looked };
  return withoutFields(what, looked, wanted);
}

/** Writes once more without the fields that the API server rejects next to the desired ones. */
function withoutFields(change: RefusedChange, now: LiveObject, wanted: Wanted): Decision {
  const { desired, wish, looked, refusal } = change;
  const whole = valuesIn(desired, wish, now);
  const less = whole && withoutRefused(whole, wish, refusal.fields);
  if (less) return { do: 'apply', change, looked, whole: less, refused: change };
  return trial(change, wanted);
}

function trial(change: RefusedChange, { writeGuard }: Wanted): Decision {
  const { desired, wish, live } = change;
  const { uid: id } = live.metadata;
  const series = uncounted(writeGuard.breaker.of(id));
  return { do: 'create', desired, wish, why: 'trial', refused: change, memo: { writes: { id, series } } };
}

/**
 * The whole object, sent as an update if only values differ and the object is kept whole. A shared object does not
 * qualify, because not all of its owners are known.
 */
function valuesIn({ kind }: Desired, wish: Manifest, live: LiveObject): LiveObject | undefined {
  const isValues = hasSameFieldSet(live, wish) && !kind.shared && !isAbridged(live);
  return isValues && hasSafeIntegers(live) ? merged(live, wish) : undefined;
}
