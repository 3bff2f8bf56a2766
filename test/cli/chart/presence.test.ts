import { describe, expect, test } from 'vitest';
import { allOf, anyOf } from '../../../cli/chart/logic/condition.js';
import { mergedOrder } from '../../../cli/chart/logic/merged-order.js';
import { conditionOf, type Point } from '../../../cli/chart/logic/presence.js';
import { conditionText } from '../../../cli/chart/template/condition-text.js';

/** Renderings, such as `x+y/db`: the settings x and y, for the system db. */
const points = (...texts: readonly string[]): readonly Point[] =>
  texts.map((text) => {
    const [settings = '', system = ''] = text.split('/');
    return { settings: settings.split('+').filter(Boolean), system };
  });

const whole = points('/db', '/kafka', 'x/db', 'x/kafka', 'y/db', 'y/kafka', 'x+y/db', 'x+y/kafka');

describe('a part exists', () => {
  test.each<[condition: string, seen: readonly Point[], within?: readonly Point[]]>([
    ['and', whole],
    ['x', points('x/db', 'x/kafka', 'x+y/db', 'x+y/kafka')],
    ['not x', points('/db', '/kafka', 'y/db', 'y/kafka')],
    ['or x y', points('x/db', 'x/kafka', 'y/db', 'y/kafka', 'x+y/db', 'x+y/kafka')],
    ['and x y', points('x+y/db', 'x+y/kafka')],
    ['and x (not y)', points('x/db', 'x/kafka')],
    ['$.Values.systems.db', points('/db', 'x/db', 'y/db', 'x+y/db')],
    ['or $.Values.systems.db x', points('/db', 'x/db', 'x/kafka', 'y/db', 'x+y/db', 'x+y/kafka')],
    ['and x $.Values.systems.db', points('x/db', 'x+y/db')],
    // Without annotations, x removes their map. With y there are others, and x removes one.
    ['not x', points('/db', 'y/db'), points('/db', 'y/db', 'x+y/db')],
    // What contains it exists only with x.
    ['$.Values.systems.db', points('x/db'), points('x/db', 'x/kafka')],
    ['y', points('x+y/db'), points('x/db', 'x+y/db')],
    // What contains it is brought by one system, and by x with each system.
    ['$.Values.systems.db', points('/db', 'x/db'), points('/db', 'x/db', 'x/kafka')],
  ])('if %s', (condition, seen, within = whole) => {
    expect(conditionText(conditionOf(seen, within), (setting) => setting)).toBe(condition);
  });
});

describe('a condition is written', () => {
  const settingText = (setting: string) =>
    ({ off: 'not $.Values.off', kind: 'eq $.Values.kind "A"' })[setting] ?? setting;

  test.each([
    ['$.Values.off', { not: { setting: 'off' } }],
    ['not $.Values.off', { setting: 'off' }],
    ['not (eq $.Values.kind "A")', { not: { setting: 'kind' } }],
    [
      'and (or a b) (not (and c d))',
      allOf([anyOf([{ setting: 'a' }, { setting: 'b' }]), { not: allOf([{ setting: 'c' }, { setting: 'd' }]) }]),
    ],
    ['and c d', { not: { not: allOf([{ setting: 'c' }, { setting: 'd' }]) } }],
    ['index $.Values.systems "a-b"', { system: 'a-b' }],
  ])('%s', (text, condition) => {
    expect(conditionText(condition, settingText)).toBe(text);
  });
});

describe('members of sequences are', () => {
  test.each<[order: string, when: string, sequences: readonly string[]]>([
    ['abc', 'in the order of each sequence', ['ab', 'bc']],
    ['abc', 'in the order of later sequences too', ['c', 'b', 'abc']],
    ['abcd', 'in the order in which they are named', ['ab', 'ac', 'ad']],
    ['ab', 'there once if sequences contradict each other', ['ab', 'ba']],
  ])('%s, %s', (order, _, sequences) => {
    expect(mergedOrder(sequences.map((one) => [...one])).join('')).toBe(order);
  });
});
