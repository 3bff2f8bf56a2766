import { expect, it } from 'vitest';
import { remembered } from '../../../operator/certificates/remembered.js';

const counted = () => {
  const read: string[] = [];
  const ask = remembered((text) => {
    read.push(text);
    return text === '' ? undefined : text.length;
  });
  return { read, ask };
};

it('reads a text once, also one without an answer', () => {
  const { read, ask } = counted();
  expect(['aa', '', 'aa', '', 'b', 'aa'].map(ask)).toEqual([2, undefined, 2, undefined, 1, 2]);
  expect(read).toEqual(['aa', '', 'b']);
});

it('forgets the text that was not asked for the longest', () => {
  const { read, ask } = counted();
  ask('kept');
  ask('forgotten');
  for (let other = 0; other < 255; other++) {
    ask(`${other}`);
    ask('kept');
  }
  expect([ask('kept'), ask('forgotten')]).toEqual([4, 9]);
  expect(read.filter((text) => text.length > 3)).toEqual(['kept', 'forgotten', 'forgotten']);
});
