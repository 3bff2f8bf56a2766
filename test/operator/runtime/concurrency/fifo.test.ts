import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from '../../../../operator/runtime/concurrency/work-queue.js';

test('keys leave in the order of their arrival, each once', () => {
  const step = fc.record({ does: fc.constantFrom('add', 'delete', 'shift'), key: fc.constantFrom('a', 'b', 'c', 'd') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const line = new Fifo();
      const expected: string[] = [];
      for (const { does, key } of steps) {
        if (does === 'shift') expect(line.shift()).toBe(expected.shift());
        else if (does === 'delete') {
          line.delete(key);
          if (expected.includes(key)) expected.splice(expected.indexOf(key), 1);
        } else {
          line.add(key);
          if (!expected.includes(key)) expected.push(key);
        }
        expect(line.size).toBe(expected.length);
      }
      line.clear();
      expect([line.size, line.shift()]).toEqual([0, undefined]);
    }),
  );
});
