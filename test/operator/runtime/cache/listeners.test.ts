import { expect, test } from 'vitest';
import { Listeners } from '../../../../operator/runtime/cache/listeners.js';

test('R6 all listeners receive a change, even if one fails, and the first failure is reported', () => {
  const listeners = new Listeners();
  const heard: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const listener = () => {
      heard.push(name);
      if (name !== 'c') throw new Error(name);
    };
    listeners.add(listener, '');
  }
  expect(() => listeners.tell({})).toThrow('a');
  expect(heard).toEqual(['a', 'b', 'c']);
});
