import { isAbridged, isPosted } from '../cache/received-object.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, ending, leaving, rejected } from '../controller/blocker.js';
import { merged } from '../fields/merge.js';
import { withoutRefused } from '../fields/refused-fields.js';
import { isApiError, isRefusal, messageOf, newer } from '../kubernetes/errors.js';
import { hasSafeIntegers } from '../kubernetes/json.js';
import { holdOn, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { adviceIn } from '../kubernetes/refusal-advice.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { hasSameFieldSet } from '../ownership/ownership-labels.js';
import { type Desired, describe } from '../rendering/render.js';
import { othersObject } from './adoption.js';
import {
  type Answer,
  blocked,
  type Change,
  type Create,
  type Decision,
  type Read,
  type RefusedChange,
  rest,
} from './decision.js';
import { fieldConflict, lostFields, made, vanishing } from './field-conflict.js';
import { handover, leavesReplicas } from './field-handover.js';
import { immutableChange } from './immutable-fields.js';
import { markings } from './made-once-objects.js';
import { joining, withOwnersOf } from './shared-objects.js';

/** An object that `desire` rendered, and what the process remembers of its writes. */
export interface Wanted
  extends Pick<ReconcileContext, 'controller' | 'resource' | 'appliedState' | 'writeGuard'>,
    Pick<Change, 'desired' | 'wish'> {}

/**
 * What happens to an object next, by the answer to the last request. It sends nothing.
 * @throws the error of the last request, if no decision follows from it
 */
export function decide(wanted: Wanted, { to, live, error }: Answer): Decision {
  if (to === undefined) return live ? found(wanted, live) : missing(wanted);
  if (to.do === 'create') return afterCreate(to, error, wanted);
  if (to.do === 'apply') return error === undefined ? applied(to.change, live, wanted) : refused(to, error, wanted);
  if (to.do === 'patch' && to.change)
    return error === undefined
      ? over(to.change, live ?? to.live)
      : refused({ change: to.change, looked: to.change.live }, error, wanted);
  if (to.do === 'read' && to.why === 'handover' && error !== undefined)
    return refused({ change: to.change, looked: to.change.live }, error, wanted);
  if (to.do === 'read' && to.why === 'refusal' && error !== undefined) failed(to.refused, wanted);
  if (error !== undefined) throw error;
  if (to.do === 'read') return afterRead(to, live, wanted);
  if (to.do === 'recreate') {
    if (live) return blocked(leaving(`${describe(to.desired)} is being deleted${holdOn(live)}`));
    return { do: 'create', desired: to.desired, wish: to.wish, why: 'again' };
  }
  return to.do === 'patch' && to.why === 'join' ? kept(wanted, live ?? to.live) : rest;
}

function missing(wanted: Wanted): Decision {
  const { desired, wish } = wanted;
  const held = vanishing(wanted);
  return held ? blocked(held) : { do: 'create', desired, wish, why: 'missing' };
}

function afterCreate({ desired, why, refused: change }: Create, error: unknown, wanted: Wanted): Decision {
  if (why === 'trial') return afterTrial(change as RefusedChange, error);
  if (error === undefined) return why === 'again' ? rest : made(wanted);
  if (why === 'again') throw error;
  if (isApiError(error, 'NamespaceTerminating'))
    return blocked(ending(`${describe(desired)} cannot be created because its namespace is being deleted`));
  const rejection = rejectionOf(error, desired, false);
  if (rejection) return blocked(rejection);
  if (!isApiError(error, 'AlreadyExists')) throw error;
  // An object that our watch does not show has the name: another owner's, or ours without its label.
  return { do: 'read', desired, why: 'taken' };
}

/**
 * The API server rejects only the change if it would accept a new object like this. It validates an object before it checks
 * whether the name is taken, so a dry run can fail only because of the name. The error messages differ between kinds and
 * prove nothing. If the dry run succeeds, the object is gone: the next reconcile creates it.
 */
function afterTrial(change: RefusedChange, error: unknown): Decision {
  if (!isApiError(error, 'AlreadyExists')) throw change.refusal;
  return { do: 'read', desired: change.desired, why: 'immutable', refused: change, same: change.looked };
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
      return lostFields(to, live, wanted) ?? handedOver(to.change, wanted);
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
  const { decision = handedOver(change, wanted), news } = fieldConflict(change, wanted);
  return news ? { ...decision, news } : decision;
}

/** The object is as desired. The blocker that is still to be reported, if a suspension has just ended. */
function atRest(live: LiveObject, { resource, writeGuard }: Wanted): Decision {
  const told = writeGuard.breaker.rests(live.metadata.uid, resource.metadata.generation ?? 0);
  return told ? blocked(told) : rest;
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
  if (live) wanted.appliedState.note(live, wish);
  return atRest(before, wanted);
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
  if (leaner) {
    failed(leaner, wanted);
    if (!refusal) throw error;
    return trial(leaner);
  }
  const rejection = refusal && desired.replace === 'recreate' ? undefined : rejectionOf(error, desired, true);
  if (rejection) return blocked(wanted.writeGuard.remember(live, wish, rejection));
  if (!refusal) {
    failed(change, wanted);
    throw error;
  }
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
  failed(change, wanted);
  return trial(change);
}

function trial(change: RefusedChange): Decision {
  return { do: 'create', desired: change.desired, wish: change.wish, why: 'trial', refused: change };
}

function failed({ live }: Change, { writeGuard }: Wanted): void {
  writeGuard.breaker.failed(live.metadata.uid);
}

/** The blocker of an object whose write may be rejected. Undefined for other objects and errors. */
function rejectionOf(error: unknown, desired: Desired, isThere: boolean): Blocker | undefined {
  const { rejection } = desired;
  if (!rejection || !isRefusal(error)) return undefined;
  const known = adviceIn(messageOf(error));
  const remedies = known === undefined ? rejection.remedy : `${known}; or ${rejection.remedy}`;
  return rejected(`${messageOf(error)}: ${remedies}`, isThere || !rejection.holdsUp);
}

/**
 * The whole object, sent as an update if only values differ and the object is kept whole. A shared object does not
 * qualify, because not all of its owners are known.
 */
function valuesIn({ kind }: Desired, wish: Manifest, live: LiveObject): LiveObject | undefined {
  const isValues = hasSameFieldSet(live, wish) && !kind.shared && !isAbridged(live);
  return isValues && hasSafeIntegers(live) ? merged(live, wish) : undefined;
}
