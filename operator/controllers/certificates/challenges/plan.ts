import { nextRecords, recordSolverOf, type TxtRecord, unsettledRecord, wantedRecords } from './responses.js';
import type { Situation } from './situation.js';

/** How the TXT records become what the challenges need. */
export interface Plan {
  /** The records that the status must have. */
  readonly records: readonly TxtRecord[];
  /** Records for which no solver is left, so that they cannot be removed. */
  readonly lost: readonly TxtRecord[];
  /** The record to add or to remove at its server now. */
  readonly change?: TxtRecord | undefined;
}

/** Plans the records. Each is in the status before it is added, and until it is seen that the server no longer has it. */
export function planOf(situation: Situation): Plan {
  const { issuer, isDeleting, challenges, records: recorded, values, hasOtherIssuer } = situation;
  const wanted = issuer && wantedRecords(challenges, issuer);
  const all = nextRecords({ recorded, wanted: isDeleting ? [] : wanted, values });
  // An issuer that does not exist can come back.
  const isFinal = issuer !== undefined || hasOtherIssuer;
  const isLost = (one: TxtRecord) => isFinal && !(issuer && recordSolverOf(one, issuer));
  return { records: all.filter((one) => !isLost(one)), lost: all.filter(isLost), change: changeIn(situation) };
}

/** One record is changed at a time. */
function changeIn({ isDeleting, records, values }: Situation): TxtRecord | undefined {
  const unsettled = unsettledRecord(records);
  // Whether the server has what the record is to become.
  const isSettled = !unsettled || values?.includes(unsettled.value) === (unsettled.phase === 'Adding');
  // Each record keeps the finalizer of a deleted Certificate until it is seen that the server no longer has it.
  return isSettled ? (isDeleting ? records[1] : undefined) : unsettled;
}
