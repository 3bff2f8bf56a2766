import { type Blocker, ending, rejected } from '../controller/blocker.js';
import { isApiError, isRefusal, messageOf } from '../kubernetes/errors.js';
import { adviceIn } from '../kubernetes/refusal-advice.js';
import { counted, holding, type Intent } from '../memory/write-breaker.js';
import { placeOf } from '../ownership/inventory.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { type Desired, describe } from '../rendering/render.js';
import { blocked, type Change, type Create, type Decision, type RefusedChange, rest } from './decision.js';
import { anything, cut, endless, isObserved, type Remembered } from './field-conflict.js';

/** An object to create. */
type Wanted = Pick<Change, 'desired' | 'wish'> & Remembered;

/**
 * What happens to an object that is missing, and what follows from the answer to its create. If it was created too often, it
 * is not recreated after its next deletion.
 * @param to undefined before the create
 * @throws the error of the create, if no decision follows from it
 */
export function creation(to: Create | undefined, error: unknown, wanted: Wanted): Decision {
  if (!to) return missing(wanted);
  const { desired, why, refused: change } = to;
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

function missing(wanted: Wanted): Decision {
  const { desired, wish, writeGuard } = wanted;
  const { breaker } = writeGuard;
  const intent = intentOf(wanted);
  const before = breaker.of(intent.id);
  const { blocker, series } = holding(before, intent, breaker.clock.monotonic());
  const decision = blocker ? blocked(blocker) : ({ do: 'create', desired, wish, why: 'missing' } as const);
  return series === before ? decision : { ...decision, memo: { writes: { id: intent.id, series } } };
}

/** An object was created. */
function made(wanted: Wanted): Decision {
  if (!isObserved(wanted)) return rest;
  const { desired, writeGuard } = wanted;
  const intent = intentOf(wanted);
  const now = writeGuard.breaker.clock.monotonic();
  const { counts, series } = counted(writeGuard.breaker.of(intent.id), intent, now);
  if ((counts.get(anything) ?? 0) <= endless)
    return { ...rest, news: { isMissing: true }, memo: { writes: { id: intent.id, series, isCounted: true } } };
  const message = `${describe(desired)} was created ${endless} times in 5 minutes and is deleted each time: find out who deletes it`;
  const { news, memo } = cut(intent, series, { reason: 'WriteLoop', message, now }, true);
  return { ...rest, news: { ...news, isMissing: true }, memo };
}

/** An object to create has no UID yet. */
function intentOf({ desired, wish, resource: { metadata } }: Wanted): Intent {
  const id = `${metadata.uid} ${placeOf(desired)}`;
  return { id, wish: wishOf(wish), generation: metadata.generation ?? 0, fields: [anything] };
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

/** The blocker of an object whose write may be rejected. Undefined for other objects and errors. */
export function rejectionOf(error: unknown, desired: Desired, isThere: boolean): Blocker | undefined {
  const { rejection } = desired;
  if (!rejection || !isRefusal(error)) return undefined;
  const known = adviceIn(messageOf(error));
  const remedies = known === undefined ? rejection.remedy : `${known}; or ${rejection.remedy}`;
  return rejected(`${messageOf(error)}: ${remedies}`, isThere || !rejection.holdsUp);
}
