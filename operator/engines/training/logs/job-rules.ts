import { logPattern } from '../../../../crds/training/log-pattern.js';
import type { LogRule } from '../../../controllers/training/ports/logs.js';
import { PatternMatches } from './pattern-matches.js';
import { type RuleState, seen } from './rule-state.js';

/** A line with the time that counts for it. */
export interface TimedLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** How often a pattern may take too long before it is no longer tried. */
const mostInterruptions = 3;

/** The rules of a job, applied to the lines of any of its logs. */
export class JobRules {
  readonly #patterns: (RegExp | undefined)[];
  readonly #interruptions: number[];

  constructor(
    readonly rules: readonly LogRule[],
    readonly matcher: Pick<PatternMatches, 'of'> = new PatternMatches(),
  ) {
    this.#patterns = rules.flatMap((rule) => [
      logPattern(rule.logPattern),
      rule.stopPattern === undefined ? undefined : logPattern(rule.stopPattern),
    ]);
    this.#interruptions = this.#patterns.map(() => 0);
  }

  /** What each rule knows after some more lines of a log. */
  after(states: readonly RuleState[], lines: readonly TimedLine[]): readonly RuleState[] {
    const { matches, slow } = this.matcher.of(
      this.#patterns,
      lines.map(({ text }) => text),
    );
    for (const index of slow) this.#interrupted(index);
    return this.rules.map((rule, index) =>
      lines.reduce((state, line, number) => {
        const [match, stop] = [matches[number]?.[2 * index], matches[number]?.[2 * index + 1]];
        if (!match && !stop) return state;
        return seen(rule, state, {
          ...line,
          isMatch: match !== undefined,
          value: match?.[1],
          isStop: stop !== undefined,
        });
      }, states[index] as RuleState),
    );
  }

  #interrupted(index: number): void {
    const times = (this.#interruptions[index] ?? 0) + 1;
    this.#interruptions[index] = times;
    if (times >= mostInterruptions) this.#patterns[index] = undefined;
  }

  /** The rules that are no longer applied, as sentences. */
  get failures(): readonly string[] {
    const isOff = (index: number) => (this.#interruptions[index] ?? 0) >= mostInterruptions;
    return this.rules
      .filter((_, index) => isOff(2 * index) || isOff(2 * index + 1))
      .map(({ name }) => `rule ${name} is not applied: its pattern takes too long for lines of the log; simplify it`);
  }
}
