import { createContext, Script } from 'node:vm';

type Match = RegExpExecArray | undefined;

/** What regular expressions of users found in lines of their programs. */
export interface Matched {
  /** For each line, its matches by the order of the patterns. */
  readonly matches: readonly (readonly Match[])[];
  /** Indexes of the patterns that took too long, and were not tried on the rest of the lines. */
  readonly slow: readonly number[];
}

/** Milliseconds for all lines that are matched at once. */
const patience = 250;

/**
 * Matches regular expressions, and interrupts one that takes too long: some need a time that is exponential in the length
 * of a line, and the event loop waits meanwhile. V8 checks the limit while it matches.
 */
export class PatternMatches {
  readonly #sandbox: { run: () => void } = { run: () => {} };
  readonly #script = new Script('run()');

  /** @param budget milliseconds for all lines together, and as much again after each interrupted pattern */
  constructor(readonly budget = patience) {
    createContext(this.#sandbox);
  }

  of(patterns: readonly (RegExp | undefined)[], lines: readonly string[]): Matched {
    const matches: Match[][] = lines.map(() => []);
    const slow = new Set<number>();
    let at = 0;
    const end = lines.length * patterns.length;
    this.#sandbox.run = () => {
      for (; at < end; at++) {
        const index = at % patterns.length;
        const [text, found] = [lines[(at - index) / patterns.length], matches[(at - index) / patterns.length]];
        if (text !== undefined && found && !slow.has(index)) found[index] = patterns[index]?.exec(text) ?? undefined;
      }
    };
    // The one that was tried when the time was over is to blame.
    while (at < end && !this.#isDone()) slow.add(at++ % patterns.length);
    return { matches, slow: [...slow] };
  }

  #isDone(): boolean {
    try {
      this.#script.runInContext(this.#sandbox as never, { timeout: this.budget });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return false;
    }
  }
}
