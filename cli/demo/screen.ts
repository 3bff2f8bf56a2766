import { printable } from '../../operator/telemetry/printable-text.js';

/** Where the demo writes: the part of `process.stdout` that it uses. */
export interface Output {
  readonly isTTY?: boolean;
  /** Characters a line; a terminal has them, and tells 0 where it does not know. */
  readonly columns?: number;
  /** Lines; a terminal has them, and tells 0 where it does not know. */
  readonly rows?: number;
  write(text: string): unknown;
}

/** Characters that a line of a picture may have: in the last column some terminals wrap. */
export function widthOf({ columns }: Output): number {
  return (columns || 80) - 1;
}

const clearToEnd = '\x1b[J';
const up = (lines: number) => (lines > 0 ? `\x1b[${lines}A` : '');

/**
 * Lines that stay, and below them a picture that is drawn again in place. Without a terminal there is no picture.
 *
 * Guarantee: what stands in a line can do nothing to the terminal, whoever wrote it.
 *
 * Assumes that nobody else writes to the output.
 */
export class Screen {
  readonly #output: Output;
  #picture: readonly string[] = [];
  #drawn = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes lines that stay. */
  say(...lines: readonly string[]): void {
    this.#output.write(this.#erased() + lines.map((line) => `${printable(line)}\n`).join('') + this.#drawing());
  }

  /** Draws another picture in the place of the last one. The same one again is not drawn, so that nothing flickers. */
  show(picture: readonly string[]): void {
    const isNew = picture.join('\n') !== this.#picture.join('\n');
    this.#picture = picture;
    if (this.#output.isTTY && isNew) this.#output.write(this.#erased() + this.#drawing());
  }

  #erased(): string {
    const drawn = this.#drawn;
    this.#drawn = 0;
    return drawn > 0 ? `${up(drawn)}${clearToEnd}` : '';
  }

  /** Never higher than the terminal, nor wider: what has scrolled away or wrapped cannot be erased. */
  #drawing(): string {
    const { isTTY, rows } = this.#output;
    if (!isTTY || this.#picture.length === 0) return '';
    const width = widthOf(this.#output);
    const lines = ['', ...this.#picture].slice(0, (rows || 24) - 1).map((line) => printable(line).slice(0, width));
    this.#drawn = lines.length;
    return lines.map((line) => `${line}\n`).join('');
  }
}
