/** The number of kills, and the listener for progress. */
export interface KillsProps {
  /** How many kills. */
  readonly kills: number;
  readonly say: (line: string) => void;
  /** Ends it after the kill that it is at. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface KillsResult {
  /** Seconds without an acknowledged row or record, of each kill. */
  readonly pauses: readonly number[];
  /** Rows or records that were acknowledged. */
  readonly acknowledged: number;
  /** How often another instance was the primary afterwards, or another controller led the quorum. */
  readonly changes: number;
  /** Rows or records that were acknowledged and are not there. */
  readonly lost: readonly string[];
  /** Moments at which two instances of a Database took writes. */
  readonly overlaps?: readonly string[];
}
