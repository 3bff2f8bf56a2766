import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker } from '../controller/blocker.js';
import { driftOf } from '../fields/contains.js';
import { type FieldPath, fieldText, managersOf, writerOf } from '../fields/field-path.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { wishOf } from '../ownership/ownership-labels.js';
import { describe } from '../rendering/render.js';
import { blocked, type Decision, type RefusedChange, rest } from './decision.js';

/** Milliseconds after which a rejected change is tried once more, even if neither side has changed. */
const blockedFor = 600_000;

/**
 * What happens to an object whose apply the API server rejected as invalid, although it would accept a new object. An
 * object that may be recreated is deleted. Any other object stays unchanged.
 *
 * Guarantee: an object is deleted only if the desired state of the rejected fields has changed, and no other manager
 * has changed them. A change by another manager, or a value that the server added at creation, never deletes an object.
 * @param now the object as it is, with its complete managed fields
 */
export function immutableChange(
  { desired, wish, looked, refusal }: RefusedChange,
  now: LiveObject,
  { controller }: Pick<ReconcileContext, 'controller'>,
): Decision {
  const by = causeOf({ wish, live: now, refused: refusal.fields }, managerOf(controller.name));
  if (by.server) return { ...rest, memo: { applied: { live: now, wish } } };
  const fields = refusal.fields.length > 0 ? refusal.fields.toSorted().join(', ') : 'a field';
  if (!by.others && desired.replace === 'recreate') return { do: 'recreate', desired, wish, live: looked, why: fields };
  const loss = desired.holdsData ? ', which deletes its data,' : '';
  const why = by.others
    ? `was changed by ${by.others} and is immutable: revert that change`
    : 'is immutable: revert the edit';
  const message = `${describe(desired)}: ${fields} ${why}, or delete the ${desired.kind.kind}${loss} to have it recreated`;
  const blocker: Blocker = { reason: 'ImmutableField', message, requeueAfter: blockedFor };
  return { ...blocked(blocker), memo: { blocked: { live: looked, wish, blocker } } };
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
