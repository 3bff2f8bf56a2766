import { expect, it } from 'vitest';
import { isFenced } from '../../../../operator/runtime/kubernetes/errors.js';
import { LeaseTerm } from '../../../../operator/runtime/leader/lease-term.js';
import { FakeClock } from '../../fake-clock.js';

it('R29 a term that ends in the middle of a write is no failure, and leaves the write in doubt', async () => {
  const clock = new FakeClock();
  const { signal } = new LeaseTerm(clock, clock.monotonic() + 1_000);
  await clock.advance(999);
  expect(signal.aborted).toBe(false);
  await clock.advance(2);
  expect(isFenced(signal.reason)).toBe(true);
  expect((signal.reason as Error).cause).toBeDefined();
});
