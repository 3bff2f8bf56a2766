import { afterEach, expect, it, vi } from 'vitest';
import { freePort } from '../../../operator/testing/free-port.js';

const drawn = vi.hoisted(() => vi.fn());
vi.mock('node:crypto', async (original) => ({ ...(await original<object>()), randomInt: drawn }));
afterEach(() => drawn.mockReset());

it('a port that was given is not given again, though nobody listens there yet', async () => {
  for (const port of [31_990, 31_990, 31_991]) drawn.mockReturnValueOnce(port);
  expect([await freePort(), await freePort()]).toEqual([31_990, 31_991]);
});
