import { answerTooLarge, objectLimit } from './answer-limits.js';

const newline = 0x0a;

/**
 * Splits a stream of bytes into lines. It splits before decoding, so a character that arrives in two chunks stays
 * whole. A rest after the last newline is not a line, because the stream broke in the middle of it.
 */
export class Lines {
  #rest: Buffer[] = [];
  #bytes = 0;

  /** @param asked the request that the stream answers */
  constructor(readonly asked: string) {}

  /**
   * The lines that the next chunks complete.
   * @throws {ApiError} AnswerTooLarge if a line exceeds the limit
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
