/** The position of an instance in the write-ahead log. */
export interface LogPosition {
  readonly timeline: number;
  /** In bytes. */
  readonly position: number;
}

const half = 2 ** 32;

/** A position in PostgreSQL's format: the upper and the lower half, in hexadecimal. */
export function lsnOf(position: number): string {
  const hex = (part: number) => part.toString(16).toUpperCase();
  return `${hex(Math.floor(position / half))}/${hex(position % half)}`;
}

/** Parses a position in PostgreSQL's format to bytes. Undefined if the text is invalid. */
export function bytesOf(lsn: string): number | undefined {
  const [, upper, lower] = /^([0-9A-F]{1,6})\/([0-9A-F]{1,8})$/.exec(lsn) ?? [];
  return upper === undefined || lower === undefined ? undefined : half * parseInt(upper, 16) + parseInt(lower, 16);
}

/** A position with both parts. Undefined if a part is missing. */
export function wholeOf(said: Partial<LogPosition> | undefined): LogPosition | undefined {
  const { timeline, position } = said ?? {};
  return timeline === undefined || position === undefined ? undefined : { timeline, position };
}
