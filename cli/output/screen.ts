import { printable } from '../../operator/telemetry/printable-text.js';

/** The output of a command: the part of `process.stdout` that it uses. */
export interface Output {
  readonly isTTY?: boolean;
  /** Characters per line on a terminal; 0 if unknown. */
  readonly columns?: number;
  /** Lines of a terminal; 0 if unknown. */
  readonly rows?: number;
  write(text: string): unknown;
}

/** Maximum number of characters per line of a picture. Some terminals wrap in the last column. */
export function widthOf({ columns }: Output): number {
  return (columns || 80) - 1;
}

const clearToEnd = '\x1b[J';
const up = (lines: number) => (lines > 0 ? `\x1b[${lines}A` : '');

/**
 * Permanent lines, and below them a picture that is redrawn in place. Without a terminal there is no picture.
 *
 * Guarantee: control characters in a line do not reach the terminal.
 *
 * Assumes that no other code writes to the output.
 */
export class Screen {
  readonly #output: Output;
  #picture: readonly string[] = [];
  #drawn = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes permanent lines. */
  say(...lines: readonly string[]): void {
    this.#output.write(this.#erased() + lines.map((line) => `${printable(line)}\n`).join('') + this.#drawing());
  }

  /** Replaces the picture. An unchanged picture is not redrawn, to avoid flickering. */
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

  /** Never larger than the terminal, because scrolled or wrapped lines cannot be erased. */
  #drawing(): string {
    const { isTTY, rows } = this.#output;
    if (!isTTY || this.#picture.length === 0) return '';
    const width = widthOf(this.#output);
    const lines = ['', ...this.#picture].slice(0, (rows || 24) - 1).map((line) => printable(line).slice(0, width));
    this.#drawn = lines.length;
    return lines.map((line) => `${line}\n`).join('');
  }
}
