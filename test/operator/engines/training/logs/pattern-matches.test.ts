import { describe, expect, test } from 'vitest';
import { JobRules } from '../../../../../operator/engines/training/logs/job-rules.js';
import { PatternMatches } from '../../../../../operator/engines/training/logs/pattern-matches.js';
import { type RuleState, unseen } from '../../../../../operator/engines/training/logs/rule-state.js';

const endless = 'a'.repeat(64);

describe('a pattern whose time is exponential', () => {
  test('is interrupted, and the others are matched all the same', () => {
    const began = performance.now();
    const { matches, slow } = new PatternMatches(50).of([/^(a+)+$/, /a/, undefined], [`${endless}!`, `b${endless}`]);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(slow).toEqual([0]);
    expect(matches.map((line) => line.map((found) => found?.[0]))).toEqual([
      [undefined, 'a', undefined],
      [undefined, 'a', undefined],
    ]);
  });

  test('is no longer tried after the third time, which is told', () => {
    const bad = { name: 'bad', logPattern: '^(a+)+$', faultOnMatch: true };
    const rules = new JobRules([bad, { ...bad, name: 'good', logPattern: 'b' }], new PatternMatches(20));
    let states: readonly RuleState[] = [unseen, unseen];
    for (let time = 0; time < 3; time++) {
      expect(rules.failures).toEqual([]);
      states = rules.after(states, [{ at: time, text: `${endless}b` }]);
    }
    expect(rules.failures).toEqual([
      'rule bad is not applied: its pattern takes too long for lines of the log; simplify it',
    ]);
    const began = performance.now();
    states = rules.after(states, [{ at: 9, text: `${endless}b` }]);
    expect(performance.now() - began).toBeLessThan(20);
    expect(states.map(({ matches }) => matches)).toEqual([0, 4]);
  });
});

test('each line is matched with each pattern', () => {
  const { matches, slow } = new PatternMatches().of([/l=(\d)/, /x/], ['l=1', 'x', 'l=2 x']);
  expect(matches.map((line) => line.map((found) => found?.[1] ?? found?.[0]))).toEqual([
    ['1', undefined],
    [undefined, 'x'],
    ['2', 'x'],
  ]);
  expect(slow).toEqual([]);
});
