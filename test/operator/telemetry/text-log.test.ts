import { describe, expect, test } from 'vitest';
import type { LogLevel } from '../../../operator/config/log-level.js';
import { textLog } from '../../../operator/telemetry/text-log.js';

function given(level: LogLevel = 'info', isColoured = false) {
  const lines: string[] = [];
  const now = () => Date.parse('2030-01-01T10:11:12.345Z');
  const log = textLog({ level, isColoured, now, write: (line) => lines.push(line) });
  return { log, lines };
}

describe('a line for a person', () => {
  test('has the time, the level, the message and the resource', () => {
    const { log, lines } = given();
    log.warn({ key: 'team/web', failures: 3, names: ['a', 'b'], missing: undefined }, 'pass failed');
    expect(lines).toEqual(['10:11:12.345 warn  pass failed key=team/web failures=3 names=["a","b"]\n']);
  });

  test.each(['two words', 'a\nb', 'a"b', '', '\x1b[31m'])(
    'quotes what could be taken for something else: %j',
    (value) => {
      const { log, lines } = given();
      log.info({ value }, 'said');
      expect(lines).toEqual([`10:11:12.345 info  said value=${JSON.stringify(value)}\n`]);
    },
  );

  test('escapes control characters in names', () => {
    const { log, lines } = given();
    log.info({ name: 'a\u202eb' }, 'image "a\x1b[2J" is refused\n10:11:12.345 info  all is well');
    expect(lines).toEqual([
      '10:11:12.345 info  image "a\\u001b[2J" is refused\\u000a10:11:12.345 info  all is well name="a\\u202eb"\n',
    ]);
  });

  test.each([
    { level: 'debug', told: 4 },
    { level: 'info', told: 3 },
    { level: 'error', told: 1 },
    { level: 'silent', told: 0 },
  ] as const)('is one of $told at level $level', ({ level, told }) => {
    const { log, lines } = given(level);
    for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]({}, 'said');
    expect(lines).toHaveLength(told);
  });

  test('has a colour on a terminal', () => {
    const { log, lines } = given('info', true);
    log.error({}, 'said');
    expect(lines).toEqual(['10:11:12.345 \x1b[31merror\x1b[0m said\n']);
  });
});
