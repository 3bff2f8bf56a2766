import { answerTooLarge, objectLimit } from './answer-limits.js';

const newline = 0x0a;

/**
 * The lines of a stream of bytes. They are cut before they are decoded, so a character that came in two pieces stays
 * whole. What comes after the last newline is not a line: the stream broke in the middle of it.
 */
export class Lines {
  #rest: Buffer[] = [];
  #bytes = 0;

  /** @param asked what the stream is the answer to */
  constructor(readonly asked: string) {}

  /**
   * Those that the next pieces of the stream bring to their ends.
   * @throws {ApiError} AnswerTooLarge where one does not end within what is taken in
   */
  *endedBy(pieces: readonly Buffer[]): Generator<string> {
    for (const piece of pieces) yield* this.#endedBy(piece);
  }

  *#endedBy(piece: Buffer): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      const last = piece.subarray(start, end);
      const line = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last]);
      this.#rest = [];
      this.#bytes = 0;
      start = end + 1;
      yield line.toString('utf8');
    }
    if (start === piece.length) return;
    this.#rest.push(piece.subarray(start));
    this.#bytes += piece.length - start;
    if (this.#bytes > objectLimit) throw answerTooLarge(this.asked, objectLimit);
  }
}
