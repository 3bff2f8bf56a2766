import { describe, expect, test } from 'vitest';
import type { LogRule } from '../../../../../operator/controllers/training/ports/logs.js';
import { deadlinesOf, findingsIn, type KnownLog } from '../../../../../operator/engines/training/logs/findings.js';
import { JobRules } from '../../../../../operator/engines/training/logs/job-rules.js';
import { PatternMatches } from '../../../../../operator/engines/training/logs/pattern-matches.js';
import { type RuleState, unseen } from '../../../../../operator/engines/training/logs/rule-state.js';
import { samples } from './sample-rules.js';

const start = Date.parse('2026-11-27T12:00:00Z');
/** Interrupts no pattern that ends. */
const unhurried = new PatternMatches(60_000);
const ruleOf = (rule: object) => ({ faultOnMatch: false, ...rule }) as LogRule;
const pod = (index: number) => ({ name: `ranking-${index}-0`, uid: `uid-${index}`, since: '2026-11-27T12:00:00Z' });

/** The log of one Pod, after lines and seconds that pass. */
function logOf(rule: LogRule, log: readonly string[], index = 0): KnownLog {
  const rules = new JobRules([rule], unhurried);
  let states: readonly RuleState[] = [unseen];
  let now = start;
  for (const one of log) {
    if (one.startsWith('+')) now += 1_000 * Number(one.slice(1));
    else states = rules.after(states, [{ at: now, text: one }]);
  }
  return { pod: pod(index), states, startsAt: start, readUntil: now };
}
const found = (rule: LogRule, ...logs: readonly (readonly string[])[]) =>
  findingsIn(
    [rule],
    logs.map((log, index) => logOf(rule, log, index)),
  ).map(({ kind, pod: culprit }) => (culprit ? `${kind} ${culprit.name}` : kind));

describe('the sample rules of HyperPod', () => {
  for (const { rule, histories } of samples)
    test.each(histories)(`${rule.name}: $when`, ({ log, found: expected }) => {
      expect(found(ruleOf(rule), log)).toEqual(expected === undefined ? [] : [`${expected} ranking-0-0`]);
    });
});

describe('a threshold', () => {
  const rule = (operator: string) => ruleOf({ name: 'r', logPattern: 'v=(\\S*)', metricThreshold: 5, operator });
  test.each([
    ['gt', [6], [5, 4]],
    ['gteq', [6, 5], [4]],
    ['lt', [4], [5, 6]],
    ['lteq', [4, 5], [6]],
    ['eq', [5], [4, 6]],
  ])('%s finds %j, and not %j', (operator, bad, good) => {
    for (const value of bad) expect(found(rule(operator), [`v=${value}`])).toEqual(['LogSlow ranking-0-0']);
    for (const value of good) expect(found(rule(operator), [`v=${value}`])).toEqual([]);
  });
  test.each(['v=nan', 'v=', 'v=x'])('takes %s for no value: it neither counts nor ends a row', (line) => {
    const two = { ...rule('gt'), metricEvaluationDataPoints: 2 };
    expect(found(two, ['v=6', line])).toEqual([]);
    expect(found(two, ['v=6', line, 'v=7'])).toEqual(['LogSlow ranking-0-0']);
  });
});

describe('stopPattern', () => {
  const rule = ruleOf({
    ...{ name: 'train', logPattern: 'TFLOPs (.+)', stopPattern: 'Training complete' },
    ...{
      expectedStartCutOffInSeconds: 60,
      expectedRecurringFrequencyInSeconds: 10,
      metricThreshold: 100,
      operator: 'lt',
    },
  });
  test.each([
    ['ends the wait for a next line', ['TFLOPs 120', 'Training complete', '+999'], []],
    ['ends the wait for a first line', ['Training complete', '+999'], []],
    ['makes what was slow of no matter', ['TFLOPs 80', 'Training complete'], []],
    ['makes later lines of no matter', ['Training complete', 'TFLOPs 80'], []],
    ['that has not come changes nothing', ['TFLOPs 120', 'Training', '+11'], ['LogHanging ranking-0-0']],
  ])('%s', (_, log, expected) => {
    expect(found(rule, log)).toEqual(expected);
  });
});

describe('several Pods', () => {
  const rule = ruleOf({
    ...{ name: 'r', logPattern: 'step', expectedStartCutOffInSeconds: 60, expectedRecurringFrequencyInSeconds: 10 },
  });
  test.each([
    ['a line of one of them is enough at the start', [['step', '+5', 'step'], ['+61']], []],
    ['without any line, nobody is to blame', [['+61'], ['+61']], ['LogHanging']],
    [
      'one that is silent is to blame if others write',
      [
        ['step', '+11'],
        ['step', '+9', 'step', '+2'],
      ],
      ['LogHanging ranking-0-0'],
    ],
    [
      'if all that wrote are silent, nobody is to blame',
      [
        ['step', '+11'],
        ['step', '+11'],
      ],
      ['LogHanging'],
    ],
    ['not even the only one that writes', [['step', '+11'], ['+11']], ['LogHanging']],
  ])('%s', (_, logs, expected) => {
    expect(found(rule, ...logs)).toEqual(expected);
  });

  test('the earliest finding comes first', () => {
    const fault = ruleOf({ name: 'r', logPattern: 'Error', faultOnMatch: true });
    expect(found(fault, ['+9', 'Error'], ['+3', 'Error'])).toEqual(['LogFault ranking-1-0', 'LogFault ranking-0-0']);
  });
});

describe('what is not known is not found', () => {
  const rule = ruleOf({
    name: 'r',
    logPattern: 'step',
    expectedStartCutOffInSeconds: 60,
    expectedRecurringFrequencyInSeconds: 10,
  });
  const known = (log: readonly string[], changes: object) => findingsIn([rule], [{ ...logOf(rule, log), ...changes }]);
  test.each([
    ['a log that is not being read', ['step', '+99'], { readUntil: undefined }],
    ['a log that was read before the time was over', ['step', '+99'], { readUntil: start + 9_000 }],
    ['a log that is not being read at its start', ['+99'], { readUntil: undefined }],
    ['a log whose beginning is lost', ['+99'], { startsAt: undefined }],
  ])('in %s', (_, log, changes) => {
    expect(known(log, changes)).toEqual([]);
  });
  test('and the log is read anew when the time is over', () => {
    expect(deadlinesOf([rule], logOf(rule, ['+5', 'step']))).toEqual([start + 15_000]);
    expect(deadlinesOf([rule], logOf(rule, []))).toEqual([start + 60_000]);
    expect(deadlinesOf([rule], { ...logOf(rule, []), startsAt: undefined })).toEqual([]);
  });
});

test('a message has the rule and the line, cut', () => {
  const rule = ruleOf({ name: 'GPU Error', logPattern: 'Error', faultOnMatch: true });
  const [one] = findingsIn([rule], [logOf(rule, [`Error ${'x'.repeat(999)}`])]);
  expect(one?.message).toBe(`rule GPU Error: a line matches: Error ${'x'.repeat(194)}…`);
});
