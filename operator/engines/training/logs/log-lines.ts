/** A line of a log. */
export interface LogLine {
  /** When it was written, in milliseconds since 1970. Undefined without a time. */
  readonly at?: number | undefined;
  readonly text: string;
}

const newline = 0x0a;
/** Bytes of a line that are kept, its time included. The rest of it is dropped as it arrives. */
const longest = 4_096 + 36;
/** The time that the kubelet writes before each line. */
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;

/**
 * The lines of a log over several connections, each once. The API server resumes a log only at a whole second, so the lines
 * of that second come again: as many as were seen are skipped.
 */
export class LogLines {
  #rest: Buffer[] = [];
  #bytes = 0;
  /** The last whole second of which a line was seen, in seconds since 1970, and the lines seen since it began. */
  #second: number | undefined;
  #seen = 0;
  #toSkip = 0;

  /** The second at which to resume, in seconds since 1970. Undefined before the first line. */
  get second(): number | undefined {
    return this.#second;
  }

  /** A new connection begins at {@link second}. */
  reconnected(): void {
    this.#rest = [];
    this.#bytes = 0;
    this.#toSkip = this.#seen;
  }

  /** The lines that the next bytes complete. */
  *endedBy(pieces: readonly Buffer[]): Generator<LogLine> {
    for (const piece of pieces) {
      let start = 0;
      for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
        this.#keep(piece.subarray(start, end));
        start = end + 1;
        const line = this.#taken();
        if (this.#isNew(line)) yield line;
      }
      this.#keep(piece.subarray(start));
    }
  }

  #keep(part: Buffer): void {
    const kept = part.subarray(0, longest - this.#bytes);
    if (kept.length === 0) return;
    // A copy: the rest of the piece is not to be kept in memory for it.
    this.#rest.push(Buffer.from(kept));
    this.#bytes += kept.length;
  }

  #taken(): LogLine {
    const text = Buffer.concat(this.#rest).toString('utf8').replace(/\r$/, '');
    this.#rest = [];
    this.#bytes = 0;
    const [whole = '', seconds, fraction = '', zone] = stamp.exec(text) ?? [];
    if (seconds === undefined) return { text };
    return {
      at: Date.parse(`${seconds}${zone}`) + Number(fraction.padEnd(3, '0').slice(0, 3)),
      text: text.slice(whole.length),
    };
  }

  #isNew({ at }: LogLine): boolean {
    if (at === undefined) return true;
    const second = Math.floor(at / 1_000);
    if (this.#toSkip > 0) {
      if (second <= (this.#second ?? second)) {
        this.#toSkip--;
        return false;
      }
      this.#toSkip = 0;
    }
    if (this.#second === undefined || second > this.#second) {
      this.#second = second;
      this.#seen = 0;
    }
    // Two streams of a program may be written in another order than their times. Such a line does not come again.
    if (second === this.#second) this.#seen++;
    return true;
  }
}
