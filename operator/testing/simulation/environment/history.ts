import { createHash } from 'node:crypto';

/** What happened in one run, in order: one line each. */
export class History {
  readonly #lines: string[] = [];

  /** @param now tells the time of each line, in milliseconds */
  constructor(readonly now: () => number) {}

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** @param who a process, `somebody`, or what else acts */
  say(who: string, what: string): void {
    this.#lines.push(`${(this.now() / 1000).toFixed(4).padStart(10)}  ${who.padEnd(9)} ${what}`);
  }

  /** The same for the same history, to the last byte. */
  get hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex').slice(0, 16);
  }
}
