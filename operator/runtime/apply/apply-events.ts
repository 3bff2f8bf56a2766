import { lastWriterOf } from '../kubernetes/last-writer.js';
import type { LiveObject } from '../kubernetes/object.js';
import { listWithin, shortList } from '../kubernetes/truncate.js';
import { placeOf } from '../ownership/inventory.js';
import type { ResourceEvent } from '../ports/event-recorder.js';
import { type Desired, describe } from '../rendering/render.js';

/** An object that is as desired now, and what happened to it. */
export interface Changed {
  readonly desired: Desired;
  /** The object before the apply. Undefined if there was none. */
  readonly before: LiveObject | undefined;
  readonly isCreated: boolean;
  /** The fields that were changed back. */
  readonly reverts: readonly string[] | undefined;
}

/** Bytes of the names in a note, which leave room for the words around them. */
const longestList = 900;
/** The number of fields of one object in a note. */
const shownFields = 5;

/**
 * The events about an apply, at most three: the objects that it created, those of them that another client had deleted,
 * and the fields that it changed back. They have no values of fields, which may be secret.
 * @param deleted the places of the objects that another client deleted
 */
export function applyEvents(changed: readonly Changed[], deleted: ReadonlySet<string>): readonly ResourceEvent[] {
  const created = changed.filter(({ isCreated }) => isCreated);
  const again = created.filter((one) => isAmong(deleted, one));
  const first = created.filter((one) => !again.includes(one));
  const reverted = changed.filter(({ reverts = [] }) => reverts.length > 0);
  return [
    ...eventOf('Recreated', again.map(nameOf), (names) => `Created again what another client deleted: ${names}`),
    ...eventOf('DriftCorrected', reverted.map(revertOf), (names) => `Changed back ${names}`),
    ...eventOf('Created', first.map(nameOf), (names) => `Created ${names}`),
  ];
}

/** No event if nothing happened. */
function eventOf(reason: string, names: readonly string[], note: (names: string) => string): readonly ResourceEvent[] {
  if (names.length === 0) return [];
  return [{ type: 'Normal', reason, note: note(listWithin(names, longestList)) }];
}

function isAmong(places: ReadonlySet<string>, { desired }: Changed): boolean {
  return places.has(placeOf(desired));
}

function nameOf({ desired }: Changed): string {
  return describe(desired);
}

function revertOf({ desired, before, reverts = [] }: Changed): string {
  const fields = `${shortList(reverts.toSorted(), shownFields)} of ${describe(desired)}`;
  const writer = before && lastWriterOf(before);
  return writer === undefined ? fields : `${fields} (last written by ${writer})`;
}
