import { describe, expect, test } from 'vitest';
import { hasLogValue, isLogPattern, logPattern } from '../../crds/training/log-pattern.js';
import { bounded } from '../given/bounded.js';

describe('a pattern in the syntax of Python', () => {
  test.each([
    ['matches anywhere in a line', 'Train Epoch', 'INFO Train Epoch: 5', ['Train Epoch']],
    ['has groups', String.raw`loss=(\d+(?:\.\d+)?)`, 'loss=0.8470', ['loss=0.8470', '0.8470']],
    ['has named groups', String.raw`loss=(?P<loss>\S+) (?P=loss)`, 'loss=1 1', ['loss=1 1', '1']],
    ['has flags at its start', '(?i)cuda error', 'CUDA Error', ['CUDA Error']],
    ['has anchors', String.raw`\Aloss\Z`, 'loss', ['loss']],
    [
      'has escapes of what needs none',
      String.raw`samples\/sec': (\d+)`,
      "samples/sec': 80",
      ["samples/sec': 80", '80'],
    ],
    ['looks ahead', 'Error(?!: ignored)', 'Error: fatal', ['Error']],
    ['keeps alternatives that begin with anything', '.*nan|inf', 'loss inf', ['inf']],
    ['finds the last value after anything', String.raw`.*loss=(\d)`, 'loss=1 loss=2', ['loss=1 loss=2', '2']],
    ['matches after a progress bar', '.*loss=(.)', '10%|#  |\r 20%|## |\rloss=1', ['10%|#  |\r 20%|## |\rloss=1', '1']],
    ['has the flag of a dot too', '(?is)LOSS.', 'loss\r', ['loss\r']],
    ['does not match another line', '.*Train Epoch.*', 'Test set', undefined],
  ])('%s', (_, pattern, line, expected) => {
    const found = logPattern(pattern).exec(line);
    expect(found === null ? undefined : [...found]).toEqual(expected);
  });

  test.each(['(loss', 'loss)', '[a-', '*loss', '(?x)loss', '(?P<loss', 'a{2,1}'])('is none: %s', (pattern) => {
    expect(isLogPattern(pattern)).toBe(false);
    expect(() => logPattern(pattern)).toThrow(SyntaxError);
  });

  test.each([
    ['loss=(.*)', true],
    ['loss=(?P<loss>.*)', true],
    [String.raw`loss=\(.*\)`, false],
    ['loss=(?:.*)', false],
    ['.*loss.*', false],
  ])('captures a value: %s, %s', (pattern, expected) => {
    expect(hasLogValue(pattern)).toBe(expected);
  });

  test('that begins with anything needs no time that is the square of the length', () => {
    // The square would be 500 times the work of a line of 200,000 characters, which took half a minute.
    expect(bounded(() => logPattern('.*Train Epoch.*').test('x'.repeat(2_000_000)))).toBe(false);
  });
});
