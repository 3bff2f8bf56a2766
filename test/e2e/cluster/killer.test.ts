import { expect, test, vi } from 'vitest';
import { Killer } from './killer.js';

test('the killer kills repeatedly, counts its victims, and stops on request', async () => {
  let asked = 0;
  const killer = new Killer({ kill: async () => (++asked % 2 ? 'pod' : undefined), between: [1, 2] });
  await vi.waitFor(() => expect(killer.kills).toBeGreaterThanOrEqual(3), { timeout: 120_000 });
  await killer.stop();
  const { kills } = killer;
  expect(kills).toBe(Math.ceil(asked / 2));
});

test('it waits at least the time between two', async () => {
  const killer = new Killer({ kill: async () => 'pod', between: [3_600_000, 3_600_001] });
  await killer.stop();
  expect(killer.kills).toBe(0);
});

test('an error during a kill is reported at the end', async () => {
  let tried = false;
  const kill = async () => {
    tried = true;
    throw new Error('no such pod');
  };
  const killer = new Killer({ kill, between: [0, 1] });
  await vi.waitFor(() => expect(tried).toBe(true), { timeout: 120_000 });
  await expect(killer.stop()).rejects.toThrow('no such pod');
});
