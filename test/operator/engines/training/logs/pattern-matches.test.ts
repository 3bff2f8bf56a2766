import { describe, expect, test } from 'vitest';
import { JobRules } from '../../../../../operator/engines/training/logs/job-rules.js';
import { PatternMatches } from '../../../../../operator/engines/training/logs/pattern-matches.js';
import { type RuleState, unseen } from '../../../../../operator/engines/training/logs/rule-state.js';

const endless = 'a'.repeat(64);
/** Interrupts no pattern that ends. */
const unhurried = new PatternMatches(60_000);

describe('a pattern whose time is exponential', () => {
  test('is interrupted, and the others are matched all the same', () => {
    // Other patterns need microseconds of these two seconds.
    const { matches, slow } = new PatternMatches(2_000).of([/^(a+)+$/, /a/, undefined], [`${endless}!`, `b${endless}`]);
    expect(slow).toEqual([0]);
    expect(matches.map((line) => line.map((found) => found?.[0]))).toEqual([
      [undefined, 'a', undefined],
      [undefined, 'a', undefined],
    ]);
  });

  test('is no longer tried after the third time, which is told', () => {
    const bad = { name: 'bad', logPattern: '^(a+)+$', faultOnMatch: true };
    const tried: (readonly (string | undefined)[])[] = [];
    const matcher = {
      /** As if the first pattern had no end. */
      of: (patterns: readonly (RegExp | undefined)[], lines: readonly string[]) => {
        tried.push(patterns.map((one) => one?.source));
        const others = patterns.map((one, index) => (index === 0 ? undefined : one));
        return { ...unhurried.of(others, lines), slow: patterns[0] ? [0] : [] };
      },
    };
    const rules = new JobRules([bad, { ...bad, name: 'good', logPattern: 'b' }], matcher);
    let states: readonly RuleState[] = [unseen, unseen];
    for (let time = 0; time < 3; time++) {
      expect(rules.failures).toEqual([]);
      states = rules.after(states, [{ at: time, text: `${endless}b` }]);
    }
    expect(rules.failures).toEqual([
      'rule bad is not applied: its pattern takes too long for lines of the log; simplify it',
    ]);
    states = rules.after(states, [{ at: 9, text: `${endless}b` }]);
    const [first, second, third, fourth, ...more] = tried.map(([pattern]) => pattern);
    expect([first, second, third, fourth, more]).toEqual(['^(a+)+$', '^(a+)+$', '^(a+)+$', undefined, []]);
    expect(states.map(({ matches }) => matches)).toEqual([0, 4]);
  });
});

test('each line is matched with each pattern', () => {
  const { matches, slow } = unhurried.of([/l=(\d)/, /x/], ['l=1', 'x', 'l=2 x']);
  expect(matches.map((line) => line.map((found) => found?.[1] ?? found?.[0]))).toEqual([
    ['1', undefined],
    [undefined, 'x'],
    ['2', 'x'],
  ]);
  expect(slow).toEqual([]);
});
