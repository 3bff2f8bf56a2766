import { randomInt } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';

/** Proposes `first`, then ports at random: no port of a test is free for sure, because other tests run beside it. */
const drawing = (first: number) => {
  return vi.fn(() => randomInt(20_000, 32_000)).mockReturnValueOnce(first);
};

it('a port is not handed out twice, even before a process listens on it', async () => {
  const taken = await freePort();
  const draw = drawing(taken);
  expect(await freePort(draw)).not.toBe(taken);
  expect(draw.mock.results[0]?.value).toBe(taken);
});

it('a port is not handed out to two processes', async () => {
  const taken = await freePort();
  // A second copy of the module knows as little of the first as one in another process.
  vi.resetModules();
  const other = await import('../../../../operator/testing/control-plane/free-port.js');
  expect(other.freePort).not.toBe(freePort);
  const draw = drawing(taken);
  expect(await other.freePort(draw)).not.toBe(taken);
  expect(draw.mock.results[0]?.value).toBe(taken);
});
