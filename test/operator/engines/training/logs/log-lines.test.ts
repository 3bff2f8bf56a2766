import { describe, expect, test } from 'vitest';
import { LogLines } from '../../../../../operator/engines/training/logs/log-lines.js';

const at = (second: string, text: string) => `2026-11-27T12:00:${second}Z ${text}\n`;
const read = (lines: LogLines, ...parts: readonly string[]) => [
  ...lines.endedBy(parts.map((part) => Buffer.from(part))),
];
const texts = (lines: LogLines, ...parts: readonly string[]) => read(lines, ...parts).map(({ text }) => text);

describe('lines of a log', () => {
  test('have the time at which they were written', () => {
    expect(read(new LogLines(), at('01.123456789', 'a'), at('02', 'b'))).toEqual([
      { at: Date.parse('2026-11-27T12:00:01.123Z'), text: 'a' },
      { at: Date.parse('2026-11-27T12:00:02Z'), text: 'b' },
    ]);
    expect(read(new LogLines(), '2026-11-27T14:00:01.5+02:00 a\n')).toEqual([
      { at: Date.parse('2026-11-27T12:00:01.500Z'), text: 'a' },
    ]);
  });

  test.each([
    ['in one piece', [`${at('01', 'a')}${at('01', 'bé')}`], ['a', 'bé']],
    ['in pieces', ['2026-11-27T12:0', '0:01Z a', '\n2026-11-27T12:00:01Z b\n'], ['a', 'b']],
    ['with the end of a line of Windows', [at('01', 'a\r')], ['a']],
    ['without a line that is not complete', [at('01', 'a'), '2026-11-27T12:00:01Z b'], ['a']],
    ['that are empty', [at('01', '')], ['']],
    ['without a time', ['a\n'], ['a']],
  ])('come %s', (_, parts, expected) => {
    expect(texts(new LogLines(), ...parts)).toEqual(expected);
  });

  test('that are long are cut as they arrive', () => {
    const lines = new LogLines();
    const piece = 'x'.repeat(1_000);
    const [first, second] = texts(
      lines,
      '2026-11-27T12:00:01Z ',
      ...Array.from({ length: 100 }, () => piece),
      '\n',
      at('01', 'b'),
    );
    expect(first?.length).toBeGreaterThan(4_000);
    expect(first?.length).toBeLessThan(4_200);
    expect(second).toBe('b');
  });

  test('that are a character in two pieces stay whole', () => {
    const bytes = Buffer.from(at('01', 'é'));
    const cut = bytes.indexOf(0xc3) + 1;
    const lines = new LogLines();
    expect([...lines.endedBy([bytes.subarray(0, cut), bytes.subarray(cut)])].map(({ text }) => text)).toEqual(['é']);
  });
});

describe('after another connection, no line counts twice and none is lost', () => {
  const first = [at('01.1', 'a'), at('02.1', 'b'), at('02.1', 'c'), at('02.5', 'd')];
  const rest = [at('02.5', 'd'), at('02.9', 'e'), at('03.1', 'f')];
  test('by the second at which the log was cut', () => {
    const lines = new LogLines();
    expect(texts(lines, ...first)).toEqual(['a', 'b', 'c', 'd']);
    expect(lines.second).toBe(Date.parse('2026-11-27T12:00:02Z') / 1_000);
    lines.reconnected();
    // The API server begins with the whole second.
    expect(texts(lines, ...first.slice(1), ...rest)).toEqual(['d', 'e', 'f']);
  });

  test('even if it is cut again at once, and in the middle of a line', () => {
    const lines = new LogLines();
    texts(lines, ...first, '2026-11-27T12:00:02.9');
    lines.reconnected();
    texts(lines, first[1] as string);
    lines.reconnected();
    expect(texts(lines, ...first.slice(1), at('02.9', 'e'))).toEqual(['e']);
  });

  test('if the lines of that second are gone, because the kubelet has begun a new file', () => {
    const lines = new LogLines();
    texts(lines, ...first);
    lines.reconnected();
    expect(texts(lines, at('03.1', 'f'), at('03.1', 'g'))).toEqual(['f', 'g']);
  });
});
