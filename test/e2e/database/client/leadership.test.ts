import { expect, test } from 'vitest';
import { overlapsIn, type Stretch } from './leadership.js';

function stretch(instance: string, from: number, to: number, address = `10.0.0.${instance.at(-1)}`): Stretch {
  return { instance, address, from, to };
}

const first = stretch('orders-1', 1000, 5000);

test.each([
  { when: 'one follows the other', stretches: [first, stretch('orders-2', 6000, 9000)], told: [] },
  { when: 'two probers have seen the same one', stretches: [first, stretch('orders-1', 1100, 5100)], told: [] },
  {
    when: 'one begins before the other ends',
    stretches: [stretch('orders-2', 4000, 9000), first],
    told: ['orders-1 (10.0.0.1) and orders-2 (10.0.0.2) at 00:00:04.000'],
  },
  {
    when: 'the other one was seen once',
    stretches: [first, stretch('orders-2', 2000, 2000)],
    told: ['orders-1 (10.0.0.1) and orders-2 (10.0.0.2) at 00:00:02.000'],
  },
  {
    when: 'two processes are one instance',
    stretches: [first, stretch('orders-1', 4500, 6000, '10.0.0.9')],
    told: ['orders-1 (10.0.0.1) and orders-1 (10.0.0.9) at 00:00:04.500'],
  },
])('who took writes beside another one, when $when', ({ stretches, told }) => {
  expect(overlapsIn(stretches)).toEqual(told);
});
