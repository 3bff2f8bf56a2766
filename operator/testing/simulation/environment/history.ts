import { createHash } from 'node:crypto';

/** The events of one run in order, one line each. */
export class History {
  readonly #lines: string[] = [];

  /** @param now returns the time of a line in milliseconds */
  constructor(readonly now: () => number) {}

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** @param who a process, `user` or another actor */
  say(who: string, what: string): void {
    this.#lines.push(`${(this.now() / 1000).toFixed(4).padStart(10)}  ${who.padEnd(9)} ${what}`);
  }

  /** Equal for equal histories. */
  get hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex').slice(0, 16);
  }
}
