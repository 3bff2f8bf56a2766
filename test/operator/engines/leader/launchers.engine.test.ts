import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConfirmedWrites } from './confirmed-writes.js';
import { launcherAbsence, redisServers } from './given-launcher.js';
import type { LocalCandidate } from './local-candidate.js';
import { LocalElection } from './local-election.js';

if (launcherAbsence !== undefined) console.warn(launcherAbsence);

/** Milliseconds of a Lease. */
const lease = 3_000;

interface Fault {
  readonly fault: string;
  /** Whether the leader must lead on. @default false */
  readonly keepsLeader?: boolean;
  readonly happens: (world: LocalElection, leader: LocalCandidate) => unknown;
}

const faults: readonly Fault[] = [
  { fault: "the leader's container is killed", happens: (_, leader) => leader.signal('SIGKILL') },
  { fault: "the leader's server is killed", happens: (_, leader) => leader.signalServer('SIGKILL') },
  { fault: "the leader's launcher is killed", happens: (_, leader) => leader.signalLauncher('SIGKILL') },
  { fault: 'the leader ends in order', happens: (_, leader) => leader.signalLauncher('SIGTERM') },
  { fault: 'the leader is frozen beyond its lease', happens: (_, leader) => leader.freeze('signal', 2.5 * lease) },
  { fault: 'the leader is frozen for less than its lease', happens: (_, leader) => leader.freeze('signal', lease / 3) },
  { fault: "the leader's launcher is frozen", happens: (_, leader) => leader.freeze('signalLauncher', 2.5 * lease) },
  { fault: "the leader's server is frozen", happens: (_, leader) => leader.freeze('signalServer', 2.5 * lease) },
  {
    fault: 'the leader loses the API server',
    keepsLeader: true,
    happens: async (_, { api }) => {
      api.cut();
      await pause(2 * lease);
      api.mend();
    },
  },
  {
    fault: 'nobody reaches the API server, and the leader is killed',
    happens: async ({ candidates }, leader) => {
      for (const { api } of candidates) api.cut();
      await pause(lease);
      leader.signal('SIGKILL');
      await pause(lease);
      for (const { api } of candidates) api.mend();
    },
  },
  {
    fault: 'a replica is killed',
    keepsLeader: true,
    happens: ({ candidates }, leader) => candidates.find((one) => one !== leader)?.signal('SIGKILL'),
  },
  {
    fault: 'the operator restarts while the leader is killed',
    happens: async (world, leader) => {
      await world.stopOperator();
      leader.signal('SIGKILL');
      await pause(lease / 3);
      world.startOperator();
    },
  },
  {
    fault: 'the operator is away for longer than the lease',
    keepsLeader: true,
    happens: async (world) => {
      await world.stopOperator();
      await pause(2 * lease);
      world.startOperator();
    },
  },
];

/** Faults of each server. @default - each once for the first server, three for the others */
const wanted = Number(process.env['LEADER_FAULTS'] ?? 0);
const some = (at: number) => {
  const count = wanted || (at === 0 ? faults.length : 3);
  return Array.from({ length: count }, (_, index) => faults[(index + at) % faults.length] as Fault);
};

describe.skipIf(launcherAbsence)('an election of real servers', () => {
  it.each(redisServers.map(([name, program], at) => ({ name, program, faults: some(at) })))(
    'of $name loses no confirmed write, and never two leaders confirm',
    async ({ name, program, faults }) => {
      await using world = await LocalElection.start(program);
      await world.untilWell();
      const writes = new ConfirmedWrites(world.candidates);
      for (const { fault, happens, keepsLeader } of faults) {
        const leader = await world.untilWell();
        const [before, term, start] = [writes.count, await world.term(), performance.now()];
        await happens(world, leader);
        const mended = performance.now();
        await pause(500);
        await world.untilWell();
        await expect.poll(() => writes.count, { timeout: 60_000 }).toBeGreaterThan(before);
        if (keepsLeader) expect(await world.term(), fault).toBe(term);
        const gap = (writes.longestGap(start) / 1_000).toFixed(1);
        const since = ((performance.now() - mended) / 1_000).toFixed(1);
        const seconds = `no confirmed write for ${gap} s, all well ${since} s after the fault`;
        console.info(`${name}: ${seconds}, term ${term} to ${await world.term()}: ${fault}`);
      }
      await writes.end();
      const leader = await world.untilWell();
      const [lost, overlaps] = [await writes.lost(leader), writes.overlaps()];
      console.info(
        `${name}: ${writes.count} confirmed writes, ${lost.length} lost, ${overlaps.length} beside a later leader`,
      );
      expect([lost, overlaps]).toEqual([[], []]);
    },
    3_600_000,
  );

  it('has another leader after an orderly end, and prints how long that took', async () => {
    await using world = await LocalElection.start(redisServers[0]?.[1] ?? '');
    const leader = await world.untilWell();
    const writes = new ConfirmedWrites(world.candidates.filter((one) => one !== leader));
    leader.signalLauncher('SIGTERM');
    const start = performance.now();
    await expect.poll(() => writes.count, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    console.info(`writable ${((performance.now() - start) / 1_000).toFixed(1)} s after an orderly end`);
    await writes.end();
  });
});
