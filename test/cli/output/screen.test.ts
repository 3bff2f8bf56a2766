import { expect, test } from 'vitest';
import { Screen } from '../../../cli/output/screen.js';

/** An output that a terminal would show as `shown`: it knows the two codes that erase lines. */
class Terminal {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  writes = 0;
  #lines = [''];

  constructor(isTTY = true, { columns = 20, rows = 6 } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
    this.rows = rows;
  }

  get shown(): readonly string[] {
    return this.#lines.slice(0, -1);
  }

  write(text: string): void {
    this.writes++;
    const [rest = '', ...codes] = text.split('\x1b[').reverse();
    const up = codes.map((code) => Number.parseInt(code, 10) || 0).reduce((sum, lines) => sum + lines, 0);
    this.#lines = [
      ...this.#lines.slice(0, Math.max(0, this.#lines.length - 1 - up)),
      ...rest.replace(/^J/, '').split('\n'),
    ];
  }
}

test('draws a picture again in place, below the lines that stay', () => {
  const terminal = new Terminal();
  const screen = new Screen(terminal);
  screen.say('one');
  screen.show(['a', 'b']);
  expect(terminal.shown).toEqual(['one', '', 'a', 'b']);
  screen.show(['c']);
  expect(terminal.shown).toEqual(['one', '', 'c']);
  screen.say('two', 'three');
  expect(terminal.shown).toEqual(['one', 'two', 'three', '', 'c']);
});

test('does not draw the same picture again', () => {
  const terminal = new Terminal();
  const screen = new Screen(terminal);
  screen.show(['a']);
  const { writes } = terminal;
  screen.show(['a']);
  expect(terminal.writes).toBe(writes);
});

test('erases no line that stays when there is no picture any more', () => {
  const terminal = new Terminal();
  const screen = new Screen(terminal);
  screen.show(['a']);
  screen.show([]);
  screen.say('one');
  screen.say('two');
  expect(terminal.shown).toEqual(['one', 'two']);
});

test('cuts a picture to the size of the terminal', () => {
  const terminal = new Terminal();
  new Screen(terminal).show(['x'.repeat(30), '2', '3', '4', '5']);
  expect(terminal.shown).toEqual(['', 'x'.repeat(19), '2', '3', '4']);
});

test('assumes 80 columns and 24 lines if the terminal reports a size of 0', () => {
  const terminal = new Terminal(true, { columns: 0, rows: 0 });
  new Screen(terminal).show(['x'.repeat(100), ...Array.from({ length: 30 }, () => 'y')]);
  expect(terminal.shown).toEqual(['', 'x'.repeat(79), ...Array.from({ length: 21 }, () => 'y')]);
});

test('draws nothing where there is no terminal', () => {
  const terminal = new Terminal(false);
  const screen = new Screen(terminal);
  screen.say('one');
  screen.show(['a']);
  screen.say('two');
  expect(terminal.shown).toEqual(['one', 'two']);
});

test('escapes control characters in a line', () => {
  const terminal = new Terminal();
  const screen = new Screen(terminal);
  screen.show(['a\x1b[2Jb']);
  screen.say('one\ntwo\x1b[1A');
  expect(terminal.shown).toEqual(['one\\u000atwo\\u001b[1A', '', 'a\\u001b[2Jb']);
});
