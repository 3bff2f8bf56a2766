import { millisecondsOf, timestampOf } from '../../../../runtime/index.js';
import {
  type Claim,
  claimedDestination,
  claimFields,
  type Destination,
  isPlace,
  placeOf,
} from '../../targets/destination.js';
import type { Situation, SlotSituation } from '../situation.js';

/** The room of the status. */
const mostClaims = 32;
const mostNames = 256;

/** Milliseconds: a call that was on its way when a name was given up has ended by then. */
const callsEnd = 15_000;

/**
 * What the status must record: the names of all targets before they are written, and names that no target has any more until
 * it is seen that they are gone.
 */
export function nextClaims(situation: Situation): readonly Claim[] {
  const { resource, slots } = situation;
  const places = new Map<string, Place>();
  for (const slot of slots) {
    const key = placeOf(slot.destination);
    const place = places.get(key) ?? { destination: slot.destination, claim: slot.claim, slots: [] };
    places.set(key, { ...place, slots: [...place.slots, slot] });
  }
  // Places that wait for their turn.
  const waiting = (resource.status?.claims ?? []).filter((claim) => {
    const destination = claimedDestination(claim);
    return destination !== undefined && !places.has(placeOf(destination));
  });
  const found = [...places.values()].map(({ claim, ...place }) => {
    const isKnown = place.slots.some(({ reading }) => reading);
    return { isNew: claim === undefined, isKnown, claim: claimOf({ claim, ...place }, situation) };
  });
  const recorded = found.filter(({ isNew }) => !isNew).flatMap(({ claim }) => claim ?? []);
  // A server that has never answered was never written to. Its publication can be deleted at once.
  const added = found.filter(({ isNew, isKnown }) => isNew && isKnown).flatMap(({ claim }) => claim ?? []);
  // What is recorded is never dropped for want of room: a place that is not recorded is not written to.
  return [...recorded, ...waiting.filter((claim) => mayStay(claim, situation)), ...added].slice(0, mostClaims);
}

/** The slots of one place. */
interface Place {
  readonly destination: Destination;
  readonly claim: Claim | undefined;
  readonly slots: readonly SlotSituation[];
}

function claimOf({ destination, claim, slots }: Place, situation: Situation): Claim | undefined {
  const { policy, now } = situation;
  const published = slots.filter(({ isLeaving }) => !isLeaving && policy !== 'DryRun');
  const stated = published.flatMap(({ hosts, services }) => [...hosts, ...services]);
  const recorded = claim?.names ?? [];
  const given = recorded.filter((name) => !stated.includes(name));
  const isWanted = stated.length > 0 || (published.length > 0 && !hasNames(destination));
  const isGiven = given.length > 0 || (claim !== undefined && !isWanted);
  const since = isGiven ? givenSince({ claim, given, now }) : undefined;
  const held = given.filter((name) => slots.some((slot) => isHeld(slot, { name, since, situation })));
  const isKept =
    claim !== undefined && mayStay(claim, situation) && slots.some((slot) => isHeld(slot, { since, situation }));
  if (!isWanted && held.length === 0 && (hasNames(destination) || !isKept)) return undefined;
  const names = [...new Set([...held, ...stated])].slice(0, mostNames).toSorted();
  const draining = slots.flatMap(({ reading }) => reading?.draining ?? []);
  // An answer that is missing says nothing about the servers that are recorded.
  const isRead = slots.some(({ reading }) => reading);
  return {
    ...claimFields(destination),
    ...(names.length > 0 && { names }),
    ...(held.length > 0 && { leaving: held.toSorted() }),
    ...(since !== undefined && { leavingSince: timestampOf(new Date(since)) }),
    ...(isRead
      ? draining.length > 0 && {
          draining: draining.map(({ name, since: at }) => ({ name, since: timestampOf(new Date(at)) })),
        }
      : claim?.draining && { draining: claim.draining }),
  };
}

/** A call may be on its way for each name that was given up, so the time begins again with each further one. */
function givenSince({
  claim,
  given,
  now,
}: {
  readonly claim: Claim | undefined;
  readonly given: readonly string[];
  readonly now: number;
}): number {
  const { leaving = [], leavingSince } = claim ?? {};
  const isFurther = given.some((name) => !leaving.includes(name));
  return isFurther ? now : Math.min(millisecondsOf(leavingSince) ?? now, now);
}

interface Given {
  /** @default - the place as a whole */
  readonly name?: string;
  readonly since: number | undefined;
  readonly situation: Situation;
}

/** Whether a slot may still have a name that no target has any more. */
function isHeld(slot: SlotSituation, { name, since, situation }: Given): boolean {
  const { reading, polled, claim, isUnclear } = slot;
  if (claim && !mayStay(claim, situation)) return false;
  if (isUnclear) return true;
  if (name !== undefined && !slot.leaving.includes(name)) return false;
  if (!reading || polled?.known !== true || (name !== undefined && !slot.asked.includes(name))) return true;
  // An earlier answer says nothing about a call that was on its way.
  if (since === undefined || polled.at < since + callsEnd) return true;
  return name === undefined ? reading.held.length > 0 : reading.held.includes(name);
}

/** Whether something that no target has any more is still to be removed. */
function mayStay(claim: Claim, { policy, abandoned }: Situation): boolean {
  const destination = claimedDestination(claim);
  const isNamed = (text: string) => destination !== undefined && isPlace(text, destination, claim.names);
  const isAbandoned = abandoned.includes('*') || abandoned.some(isNamed);
  return policy !== 'UpsertOnly' && !isAbandoned;
}

function hasNames({ type }: Destination): boolean {
  return type === 'dns' || type === 'webhook';
}
