import { expect, test } from 'vitest';
import { type Polled, pollValueOf } from '../../../../operator/runtime/controller/polls.js';

const earlier = [{ value: 1, at: 0 }];

test.each<{ when: string; polled: Polled<number> | undefined; value: number | undefined }>([
  { when: 'it is known', polled: { known: true, value: 2, at: 1, earlier }, value: 2 },
  { when: 'it is known and falsy', polled: { known: true, value: 0, at: 1, earlier }, value: 0 },
  { when: 'it is not known any more', polled: { known: false, why: 'refused', since: 1, earlier }, value: undefined },
  { when: 'nothing is asked', polled: undefined, value: undefined },
])('the value of an answer is $value when $when', ({ polled, value }) => {
  expect(pollValueOf(polled)).toBe(value);
});
